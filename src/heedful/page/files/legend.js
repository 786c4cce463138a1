// What a picture says of itself, on the page and in its file: which attention it shows, whose colours
// its lines have, and what its shades mean.

import { headColour, shade } from "./colours.js";
import { shape } from "./dom.js";
import { widest } from "./measure.js";
import { pixels } from "./pixels.js";

const LINE = 20; // pixels
const BAR = 110;
const STEPS = 64; // of the bar
const SPARE_LEGEND = 18; // from one head to the next

/** Such as "translation to source, layer 2, head 3". Of several heads, `several` says what is shown. */
export function nameOfHeads({ kind, layer, nHeads }, heads, several, { say }) {
  const which = heads.length > 1 ? several.replace("#", heads.length) : `${say("head")} ${heads[0] + 1}`;
  const where = `${say(kind)}, ${say("layer").toLowerCase()} ${layer}`;
  return nHeads > 1 ? `${where}, ${which.toLowerCase()}` : where;
}

/** Such as "arcs-cross-2-head-3", for a file; `head` is from 0, or null for all. */
export function fileName(picture, { kind, layer }, head) {
  return `${picture}-${kind}-${layer}${head === null ? "" : `-head-${head + 1}`}`;
}

/** A line of a picture's own words. */
export function titleLine(text) {
  return { node: shape("text", { class: "title", x: 0, y: 14 }, text), width: widest([text]) + 4, height: LINE };
}

/** The colours of several heads: {node, height} in rows no wider than this; nothing for a single one. */
export function headsLegend(heads, width, y) {
  if (heads.length === 1) return { node: shape("g"), height: 0 };
  const step = widest([String(Math.max(...heads) + 1)]) + SPARE_LEGEND;
  const perRow = Math.max(1, Math.floor(width / step));
  const marks = heads.flatMap((head, n) => {
    const [x, top] = [(n % perRow) * step, y + Math.floor(n / perRow) * LINE];
    return [
      shape("rect", { x, y: top + 3, width: 10, height: 10, rx: 2, fill: headColour(head) }),
      shape("text", { class: "title", x: x + 13, y: top + 13 }, String(head + 1)),
    ];
  });
  const height = Math.ceil(heads.length / perRow) * LINE;
  return { node: shape("g", { class: "legend", "aria-hidden": "true" }, ...marks), height };
}

/** Shades from one number to another, with both beside them as `write` has them. */
export function colourBar(x, y, [least, most], { paint = shade, write = plainNumber } = {}) {
  const start = least < 0 ? -1 : 0;
  const shades = Array.from({ length: STEPS }, (_, n) => start + ((1 - start) * n) / (STEPS - 1));
  const [from, to] = [least, most].map(write);
  const left = x + widest([from]) + 4;
  return shape("g", { class: "bar", "aria-hidden": "true" },
    shape("text", { class: "title", x, y: y + 10 }, from),
    shape("image", {
      href: pixels([shades], 1, paint), x: left, y, width: BAR, height: 11, preserveAspectRatio: "none",
    }),
    shape("text", { class: "title", x: left + BAR + 6, y: y + 10 }, to));
}

/** How wide a bar of weights is, with its numbers. */
export function barWidth() {
  return widest([percent(0)]) + BAR + widest([percent(1)]) + 12;
}

/** As in the pictures. */
export function percent(weight) {
  return weight === 0 ? "0" : `${(100 * weight).toFixed(0)} %`;
}

function plainNumber(number) {
  return number === 0 ? "0" : number.toFixed(2);
}
