// Weights as a map: rows look at columns. The cells are one small picture, however many there are.

import { element, fill, shape } from "./dom.js";
import { barWidth, colourBar, percent, titleLine } from "./legend.js";
import { widest } from "./measure.js";
import { pixels } from "./pixels.js";

const TILT = (55 / 180) * Math.PI; // of the words above
const NARROWEST = 16; // pixels: a line of text, tilted or not, has room
const WIDEST = 26;
const USUAL = 560; // of all cells together, unless they would be narrower
const BELOW = 26; // for the bar

/** {svg, told, show(focus)} of rows of weights between words; `told` is an element that says the
 * weight that is pointed at, and `name` what the map shows. */
export function drawHeatMap(queries, keys, rows, name, { say, onFocus }) {
  const title = titleLine(name);
  const place = placesOf(queries, keys, title);
  const { left, top, width, height, cell } = place;
  const most = mostOf(rows);
  const band = shape("rect", { class: "band", visibility: "hidden" });
  const told = element("p", { class: "told numbers" });
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "heat-map", role: "img",
    "aria-label": say("heatMap"),
  },
    shape("image", {
      href: pixels(rows, most), x: left, y: top, width: keys.length * cell,
      height: queries.length * cell, preserveAspectRatio: "none", class: "cells",
    }),
    ...wordsAround(queries, keys, place), band, title.node,
    colourBar(left, height - BELOW + 10, [0, most], { write: percent }));
  follow(svg, (event) => pointedAt(event, svg, queries.length, keys.length, place), onFocus);

  function show(focus) {
    const weight = focus?.other === undefined ? null : rows[focus.index][focus.other].toFixed(3);
    fill(told, weight === null ? "" : `${queries[focus.index]} → ${keys[focus.other]}: ${weight}`);
    band.setAttribute("visibility", focus ? "visible" : "hidden");
    if (!focus) return;
    const around = bandOf(focus, queries.length, keys.length, place);
    for (const [name, value] of Object.entries(around)) band.setAttribute(name, value);
  }

  return { svg, told, show };
}

/** The largest weight, which has the full colour. */
export function mostOf(rows) {
  return rows.reduce((so, row) => Math.max(so, ...row), 1e-6);
}

/** Where the cells begin, how large they are, and how large all is, in pixels. */
function placesOf(queries, keys, title) {
  const fitting = USUAL / Math.max(queries.length, keys.length);
  const cell = Math.max(NARROWEST, Math.min(WIDEST, fitting));
  const left = widest(queries) + 10;
  const top = title.height + widest(keys) * Math.sin(TILT) + 14;
  const inner = left + Math.max(barWidth(), keys.length * cell + widest(keys) * Math.cos(TILT));
  const width = Math.max(inner, title.width);
  return { cell, left, top, width, height: top + queries.length * cell + BELOW };
}

function wordsAround(queries, keys, { left, top, cell }) {
  const size = { "font-size": Math.min(14, 0.8 * cell) };
  const beside = queries.map((word, i) =>
    shape("text", {
      x: left - 6, y: top + (i + 0.5) * cell, "text-anchor": "end", "dominant-baseline": "central",
      "data-side": "query", "data-index": i, ...size,
    }, word));
  const above = keys.map((word, j) =>
    shape("text", {
      transform: `translate(${left + (j + 0.5) * cell}, ${top - 6}) rotate(-55)`,
      "data-side": "key", "data-index": j, ...size,
    }, word));
  return [...beside, ...above];
}

/** Tells where the pointer is, whenever that is another place. */
function follow(svg, placeOf, onFocus) {
  let last = "null";
  svg.addEventListener("mousemove", (event) => {
    const focus = placeOf(event);
    const place = JSON.stringify(focus);
    if (place !== last) onFocus(focus);
    last = place;
  });
  svg.addEventListener("mouseleave", () => {
    last = "null";
    onFocus(null);
  });
}

/** What the pointer is over: a word, a cell, or nothing. */
function pointedAt(event, svg, nQueries, nKeys, { left, top, width, height, cell }) {
  const { side, index } = event.target.dataset;
  if (side) return { side, index: Number(index) };
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * width - left;
  const y = ((event.clientY - box.top) / box.height) * height - top;
  const [i, j] = [Math.floor(y / cell), Math.floor(x / cell)];
  const isInside = i >= 0 && j >= 0 && i < nQueries && j < nKeys;
  return isInside ? { side: "query", index: i, other: j } : null;
}

/** The frame around the row or the column of a word. */
function bandOf({ side, index }, nQueries, nKeys, { left, top, cell }) {
  return side === "query"
    ? { x: left, y: top + index * cell, width: nKeys * cell, height: cell }
    : { x: left + index * cell, y: top, width: cell, height: nQueries * cell };
}
