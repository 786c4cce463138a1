// A picture with its title, and buttons that save it.

import { saveSvg, savePng } from "./download.js";
import { element } from "./dom.js";

/** `name` is that of the saved file; `below` stands under the picture, and is not saved. */
export function figureOf(title, svg, name, { say, below = null }) {
  const button = (text, save) => element("button", {
    type: "button", class: "quiet", "aria-label": `${svg.getAttribute("aria-label")}: ${text}`, onclick: () => save(svg, name),
  }, text);
  return element("figure", {},
    element("figcaption", {}, title, " ", button(say("svg"), saveSvg), button(say("png"), savePng)),
    element("div", { class: "scrolls" }, svg), below ?? "");
}
