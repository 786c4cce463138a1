// A record in a notebook: the same view, as an anywidget.

import { wearTheme } from "./host.js";
import { speak } from "./labels.js";
import { View } from "./view.js";

function render({ model, el }) {
  const view = new View(JSON.parse(model.get("record")), { say: speak(model.get("language")) });
  el.classList.add("heedful");
  el.append(view.node);
  const takeOff = wearTheme(el, () => view.redraw());
  return () => {
    takeOff();
    view.stop();
  };
}

export default { render };
