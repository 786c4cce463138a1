// All heads of one kind of attention, layer by layer, as one picture whose heads are buttons.

import { headColour } from "./colours.js";
import { shape } from "./dom.js";
import { mostOf } from "./heatmap.js";
import { titleLine } from "./legend.js";
import { widest } from "./measure.js";
import { pixels } from "./pixels.js";
import { headStatistics, rowsOf } from "./record.js";

const MAP = 72;
const SPARE = 12;
const ABOVE = 18; // each head: its number
const TOLD = 42; // below each head: the colour of its arcs, and what it is like
const ROW_OF_HEADS = ABOVE + MAP + TOLD + SPARE;

/** An SVG of at most as many heads beside each other as `room` has pixels for; `onPick(layer, head)`, heads
 * from 0. */
export function drawGrid(attentions, chosen, room, { say, onPick }) {
  const names = attentions.map(({ layer }) => `${say("layer")} ${layer}`);
  const told = attentions.map((attention) =>
    Array.from({ length: attention.nHeads }, (_, head) => toldOfHead(attention, head, say)));
  const { placeOf, cell, width, height, title } = layoutOfGrid(attentions, names, told, room, say);
  const buttons = attentions.map((attention, n) => told[n].map((lines, head) =>
    drawHead(attention, head, { lines, cell, ...placeOf(n, head) }, {
      number: `${say("head")} ${head + 1}`,
      name: `${names[n]}, ${say("head")} ${head + 1}: ${lines.join(", ")}`,
      isChosen: chosen.layer === attention.layer && chosen.head === head,
      onPick: () => onPick(attention.layer, head),
      onKey: (event) => goBetween(buttons, n, head, event),
    })));
  if (!buttons.flat().some((button) => button.getAttribute("tabindex") === "0")) {
    buttons[0][0].setAttribute("tabindex", 0); // one way in for the keyboard
  }
  const layers = names.map((name, n) =>
    shape("text", { y: placeOf(n, 0).y + ABOVE + MAP / 2, "dominant-baseline": "central" }, name));
  return shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "grid", role: "group",
    "aria-label": say("heads"),
  }, title.node, ...layers.flatMap((layer, n) => [layer, ...buttons[n]]));
}

/** Where each head stands: a layer with more heads than there is room for has several rows. */
function layoutOfGrid(attentions, names, told, room, say) {
  const title = titleLine(`${say(attentions[0].kind)}: ${say("mapsRule")}`);
  const left = widest(names) + SPARE;
  const cell = Math.max(MAP, widest(told.flat(2))) + SPARE;
  const most = Math.max(...attentions.map(({ nHeads }) => nHeads));
  const fitting = Math.floor((room - left) / cell);
  const rowsEach = Math.ceil(most / Math.max(1, Math.min(most, fitting)));
  const perRow = Math.ceil(most / rowsEach); // as many in each
  const placeOf = (n, head) => ({
    x: left + (head % perRow) * cell,
    y: title.height + 4 + (n * rowsEach + Math.floor(head / perRow)) * ROW_OF_HEADS,
  });
  return {
    placeOf, cell, title, width: Math.max(title.width, left + cell * perRow),
    height: title.height + 4 + attentions.length * rowsEach * ROW_OF_HEADS,
  };
}

function toldOfHead(attention, head, say) {
  const { entropy, distance } = headStatistics(attention, head);
  return [`${entropy.toFixed(1)} ${say("bits")}`, `${distance.toFixed(1)} ${say("away")}`];
}

function drawHead(attention, head, { lines, cell, x, y }, { number, name, isChosen, onPick, onKey }) {
  const rows = rowsOf(attention, head);
  const place = { x: (cell - MAP) / 2, y: ABOVE, width: MAP, height: MAP };
  return shape("g", {
    class: "head", role: "button", tabindex: isChosen ? 0 : -1, transform: `translate(${x}, ${y})`,
    "data-key": `head ${attention.layer} ${head}`, "aria-pressed": String(isChosen), "aria-label": name,
    onclick: onPick, onkeydown: (event) => pressed(event, onPick, onKey),
  },
    shape("text", { x: cell / 2, y: ABOVE - 5, "text-anchor": "middle" }, number),
    shape("image", { href: pixels(rows, mostOf(rows)), class: "cells", ...place, preserveAspectRatio: "none" }),
    shape("rect", { class: "frame", ...place, rx: 2 }),
    shape("rect", { class: "colour", ...place, y: ABOVE + MAP + 3, height: 4, fill: headColour(head) }),
    ...lines.map((text, n) =>
      shape("text", { x: cell / 2, y: ABOVE + MAP + 20 + 16 * n, "text-anchor": "middle" }, text)));
}

/** As a button of the page; other keys are told. */
function pressed(event, onPick, onKey) {
  if (event.key !== "Enter" && event.key !== " ") return void onKey(event);
  event.preventDefault();
  onPick();
}

/** Arrows go from head to head. */
function goBetween(buttons, n, head, event) {
  const next = {
    ArrowLeft: buttons[n][head - 1], ArrowRight: buttons[n][head + 1],
    ArrowUp: buttons[n - 1]?.[head], ArrowDown: buttons[n + 1]?.[head],
  };
  if (!(event.key in next)) return;
  next[event.key]?.focus();
  event.preventDefault();
}
