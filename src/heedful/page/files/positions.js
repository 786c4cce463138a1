// How a model tells where a word stands: the vector of each position, and how far they are apart.

import { shade, signedShade } from "./colours.js";
import { element, fill, shape } from "./dom.js";
import { figureOf } from "./figure.js";
import { colourBar } from "./legend.js";
import { pixels } from "./pixels.js";
import { unpackArray } from "./record.js";

const SIDE = 300;
const EDGE = 50; // left and above: names and ticks
const BESIDE = 24; // right: the last tick is wider than its place
const UNDER = 30; // for the bar
const TICKS = 5; // at most, of an axis

/** The panel for a table {shape: [positions, elements], …} as it came. */
export function drawPositions(plain, { say }) {
  const { shape: [n, width], data } = unpackArray(plain);
  const rows = Array.from({ length: n }, (_, i) => data.subarray(i * width, (i + 1) * width));
  const apart = rows.map((row) => Float32Array.from(rows, (other) => distance(row, other)));
  const norms = rows.map((row) => Math.hypot(...row));
  const told = element("p", { class: "numbers", "aria-live": "polite" });
  const norm = `${Math.min(...norms).toFixed(2)} – ${Math.max(...norms).toFixed(2)}`;
  const usual = `${say("norms")}: ${norm}`;
  fill(told, usual);
  const table = square(rows, signedShade, say("element"), say("position"), (i, j) =>
    fill(told, i === null ? usual : `${say("position")} ${i}, ${say("element")} ${j}: ${rows[i][j].toFixed(3)}`));
  const distances = square(apart, shade, say("position"), say("position"), (i, j) =>
    fill(told, i === null ? usual : `${i} ↔ ${j}: ${apart[i][j].toFixed(3)}`));
  return element("div", { class: "positions" },
    element("div", { class: "side-by-side" },
      figureOf(say("positionsTable"), table, "positions", { say }),
      figureOf(say("positionsNote"), distances, "distances", { say })),
    told,
    element("details", {}, element("summary", {}, say("table")), fromFirst(apart[0], say)));
}

/** How far each position is from the first. */
function fromFirst(row, say) {
  return element("table", {},
    element("tr", {}, element("th", { scope: "col" }, say("position")),
      element("th", { scope: "col" }, say("positionsNote"))),
    ...Array.from(row, (value, i) =>
      element("tr", {}, element("th", { scope: "row" }, `0 ↔ ${i}`),
        element("td", {}, value.toFixed(2)))));
}

function distance(one, other) {
  let sum = 0;
  for (let n = 0; n < one.length; n++) sum += (one[n] - other[n]) ** 2;
  return Math.sqrt(sum);
}

/** A square map; `onPoint(row, column)` is told where the reader points, or null. */
function square(rows, paint, across, down, onPoint) {
  let most = 1e-6;
  for (const row of rows) for (const value of row) most = Math.max(most, Math.abs(value));
  const [width, height] = [EDGE + SIDE + BESIDE, EDGE + SIDE + UNDER];
  const least = paint === signedShade ? -most : 0;
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "square", role: "img",
    "aria-label": `${down} × ${across}`,
  },
    shape("image", {
      href: pixels(rows, most, paint), x: EDGE, y: EDGE, width: SIDE, height: SIDE,
      preserveAspectRatio: "none", class: "cells",
    }),
    shape("rect", { class: "frame", x: EDGE, y: EDGE, width: SIDE, height: SIDE }),
    shape("text", { x: EDGE, y: EDGE - 30 }, `${across} →`),
    shape("text", { transform: `translate(12, ${EDGE + SIDE}) rotate(-90)` }, `← ${down}`),
    ...ticksOf(rows[0].length).map(([n, at]) =>
      shape("text", { class: "title", x: EDGE + at, y: EDGE - 8, "text-anchor": "middle" }, n)),
    ...ticksOf(rows.length).map(([n, at]) => shape("text", {
      class: "title", x: EDGE - 6, y: EDGE + at, "text-anchor": "end", "dominant-baseline": "central",
    }, n)),
    colourBar(EDGE, EDGE + SIDE + 12, [least, most], { paint }));
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect();
    const place = (at, count) => Math.floor(((at - EDGE) / SIDE) * count);
    const i = place(((event.clientY - box.top) / box.height) * height, rows.length);
    const j = place(((event.clientX - box.left) / box.width) * width, rows[0].length);
    const inside = i >= 0 && j >= 0 && i < rows.length && j < rows[0].length;
    onPoint(inside ? i : null, inside ? j : null);
  });
  svg.addEventListener("mouseleave", () => onPoint(null, null));
  return svg;
}

/** Some of n places, at round numbers, each with the middle of its cell in pixels. */
function ticksOf(n) {
  const rough = Math.max(1, n / TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => [k * step, ((k * step + 0.5) / n) * SIDE]);
}
