// A picture with its title, and buttons that save it.

import { saveSvg, savePng } from "./download.js";
import { element } from "./dom.js";

/** `name` is that of the saved file. */
export function figureOf(title, svg, name, { say }) {
  return element("figure", {}, element("figcaption", {}, title, " ",
    element("button", { type: "button", class: "quiet", "aria-label": `${title}: ${say("svg")}`, onclick: () => saveSvg(svg, name) }, say("svg")),
    element("button", { type: "button", class: "quiet", "aria-label": `${title}: ${say("png")}`, onclick: () => savePng(svg, name) }, say("png"))),
    element("div", { class: "scrolls" }, svg));
}
