// A record in a notebook: the same view, as an anywidget.

import { speak } from "./labels.js";
import { View } from "./view.js";

function render({ model, el }) {
  const view = new View(JSON.parse(model.get("record")), { say: speak(model.get("language")) });
  el.classList.add("heedful");
  el.append(view.node);
  return () => view.stop();
}

export default { render };
