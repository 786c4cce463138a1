// Weights as a map: rows look at columns. The cells are one small picture, however many there are.

import { isDark, shade } from "./colours.js";
import { shape } from "./dom.js";
import { widest } from "./measure.js";

const TILT = (55 / 180) * Math.PI; // of the words above

/** {svg, show(focus)} of rows of weights between words. */
export function drawHeatMap(queries, keys, rows, { say, onFocus }) {
  const place = placesOf(queries, keys);
  const { left, top, width, height, cell } = place;
  const most = Math.max(1e-6, ...rows.map((row) => Math.max(...row)));
  const band = shape("rect", { class: "band", visibility: "hidden" });
  const told = shape("text", { class: "told", x: left, y: height - 6 });
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "heat-map", role: "img",
    "aria-label": say("heatMap"),
  },
    shape("image", {
      href: pixels(rows, most), x: left, y: top, width: keys.length * cell,
      height: queries.length * cell, preserveAspectRatio: "none", class: "cells",
    }),
    ...wordsAround(queries, keys, place), band, told);
  follow(svg, (event) => pointedAt(event, svg, queries.length, keys.length, place), onFocus);

  function show(focus) {
    const weight = focus?.other === undefined ? null : rows[focus.index][focus.other].toFixed(3);
    told.textContent = weight === null ? "" : `${queries[focus.index]} → ${keys[focus.other]}: ${weight}`;
    band.setAttribute("visibility", focus ? "visible" : "hidden");
    if (!focus) return;
    const around = bandOf(focus, queries.length, keys.length, place);
    for (const [name, value] of Object.entries(around)) band.setAttribute(name, value);
  }

  return { svg, show };
}

/** Where the cells begin, how large they are, and how large all is, in pixels. */
function placesOf(queries, keys) {
  const cell = Math.max(9, Math.min(26, 560 / Math.max(queries.length, keys.length)));
  const left = widest(queries) + 10;
  const top = widest(keys) * Math.sin(TILT) + 14;
  const width = left + keys.length * cell + widest(keys) * Math.cos(TILT);
  return { cell, left, top, width, height: top + queries.length * cell + 24 };
}

function wordsAround(queries, keys, { left, top, cell }) {
  const size = { "font-size": Math.min(14, cell + 1) };
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

/** A picture of one pixel a cell, as the address of its own content. */
export function pixels(rows, most, paint = shade) {
  const canvas = document.createElement("canvas");
  canvas.width = rows[0].length;
  canvas.height = rows.length;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const dark = isDark();
  rows.forEach((row, i) =>
    row.forEach((weight, j) =>
      image.data.set([...paint(weight / most, dark), 255], 4 * (i * canvas.width + j)),
    ),
  );
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL("image/png");
}
