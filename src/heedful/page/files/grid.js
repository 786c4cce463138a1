// All heads of one kind of attention, layer by layer, as one picture whose heads are buttons.

import { headColour } from "./colours.js";
import { shape } from "./dom.js";
import { pixels } from "./heatmap.js";
import { widest } from "./measure.js";
import { headStatistics, rowsOf } from "./record.js";

const MAP = 72;
const SPARE = 12;
const TOLD = 26; // below each head: the colour of its arcs, and what it is like

/** An SVG; `onPick(layer, head)`, heads from 0. */
export function drawGrid(attentions, chosen, { say, onPick }) {
  const names = attentions.map(({ layer }) => `${say("layer")} ${layer}`);
  const told = attentions.map((attention) =>
    Array.from({ length: attention.nHeads }, (_, head) => toldOfHead(attention, head, say)));
  const left = widest(names) + SPARE;
  const cell = Math.max(MAP, widest(told.flat())) + SPARE;
  const width = left + cell * Math.max(...attentions.map(({ nHeads }) => nHeads));
  const height = attentions.length * (MAP + TOLD + SPARE);
  const buttons = attentions.map((attention, n) => told[n].map((text, head) =>
    drawHead(attention, head, { text, cell, x: left + head * cell, y: topOf(n) }, {
      name: `${names[n]}, ${say("head")} ${head + 1}: ${text}`,
      isChosen: chosen.layer === attention.layer && chosen.head === head,
      onPick: () => onPick(attention.layer, head),
      onKey: (event) => goBetween(buttons, n, head, event),
    })));
  if (!buttons.flat().some((button) => button.getAttribute("tabindex") === "0")) {
    buttons[0][0].setAttribute("tabindex", 0); // one way in for the keyboard
  }
  const layers = names.map((name, n) =>
    shape("text", { y: topOf(n) + MAP / 2, "dominant-baseline": "central" }, name));
  return shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "grid", role: "group",
    "aria-label": say("heads"),
  }, ...layers.flatMap((layer, n) => [layer, ...buttons[n]]));
}

function topOf(n) {
  return n * (MAP + TOLD + SPARE) + 3;
}

function toldOfHead(attention, head, say) {
  const { entropy, distance } = headStatistics(attention, head);
  return `${entropy.toFixed(1)} ${say("bits")}, ${distance.toFixed(1)} ${say("away")}`;
}

function drawHead(attention, head, { text, cell, x, y }, { name, isChosen, onPick, onKey }) {
  const rows = rowsOf(attention, head);
  const most = Math.max(1e-6, ...rows.map((of) => Math.max(...of)));
  const place = { x: (cell - MAP) / 2, width: MAP, height: MAP };
  return shape("g", {
    class: "head", role: "button", tabindex: isChosen ? 0 : -1, transform: `translate(${x}, ${y})`,
    "data-key": `head ${attention.layer} ${head}`, "aria-pressed": String(isChosen), "aria-label": name,
    onclick: onPick, onkeydown: (event) => pressed(event, onPick, onKey),
  },
    shape("image", { href: pixels(rows, most), class: "cells", ...place, preserveAspectRatio: "none" }),
    shape("rect", { class: "frame", ...place, rx: 2 }),
    shape("rect", { class: "colour", ...place, y: MAP + 3, height: 4, fill: headColour(head) }),
    shape("text", { x: cell / 2, y: MAP + 20, "text-anchor": "middle" }, text));
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
