// All heads of one kind of attention, layer by layer, as one picture whose heads are buttons.

import { shape } from "./dom.js";
import { pixels } from "./heatmap.js";
import { widest } from "./measure.js";
import { headStatistics, rowsOf } from "./record.js";

const MAP = 72;
const SPARE = 12;
const TOLD = 22; // below each head: what it is like

/** An SVG; `onPick(layer, head)`, heads from 0. */
export function drawGrid(attentions, chosen, { say, onPick }) {
  const rows = attentions.map((attention) =>
    Array.from({ length: attention.nHeads }, (_, head) => toldOf(attention, head)));
  const left = widest(attentions.map(nameOf)) + SPARE;
  const cell = Math.max(MAP, widest(rows.flat())) + SPARE;
  const width = left + cell * Math.max(...attentions.map((attention) => attention.nHeads));
  const height = attentions.length * (MAP + TOLD + SPARE);

  function nameOf(attention) {
    return `${say("layer")} ${attention.layer}`;
  }

  function toldOf(attention, head) {
    const { entropy, distance } = headStatistics(attention, head);
    return `${entropy.toFixed(1)} ${say("bits")}, ${distance.toFixed(1)} ${say("away")}`;
  }

  function headAt(attention, head, told, x, y) {
    const rows = rowsOf(attention, head);
    const isChosen = chosen.layer === attention.layer && chosen.head === head;
    const pick = () => onPick(attention.layer, head);
    return shape("g", {
      class: "head", role: "button", tabindex: isChosen ? 0 : -1, transform: `translate(${x}, ${y})`,
      "data-key": `head ${attention.layer} ${head}`, "aria-pressed": String(isChosen),
      "aria-label": `${nameOf(attention)}, ${say("head")} ${head + 1}: ${told}`,
      onclick: pick, onkeydown: (event) => pressed(event, pick, attention, head),
    },
      shape("image", {
        href: pixels(rows, Math.max(1e-6, ...rows.map((of) => Math.max(...of)))), class: "cells",
        x: (cell - MAP) / 2, width: MAP, height: MAP, preserveAspectRatio: "none",
      }),
      shape("rect", { class: "frame", x: (cell - MAP) / 2, width: MAP, height: MAP, rx: 2 }),
      shape("text", { x: cell / 2, y: MAP + 16, "text-anchor": "middle" }, told));
  }

  /** As a button of the page does; arrows go from head to head. */
  function pressed(event, pick, attention, head) {
    const n = attentions.indexOf(attention);
    const next = {
      ArrowLeft: buttons[n][head - 1], ArrowRight: buttons[n][head + 1],
      ArrowUp: buttons[n - 1]?.[head], ArrowDown: buttons[n + 1]?.[head],
    };
    if (event.key === "Enter" || event.key === " ") pick();
    else if (event.key in next) next[event.key]?.focus();
    else return;
    event.preventDefault();
  }

  const buttons = rows.map((row, n) => row.map((told, head) =>
    headAt(attentions[n], head, told, left + head * cell, topOf(n))));
  if (!buttons.flat().some((button) => button.getAttribute("tabindex") === "0")) {
    buttons[0][0].setAttribute("tabindex", 0); // one way in for the keyboard
  }
  return shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "grid", role: "group",
    "aria-label": say("heads"),
  }, ...attentions.flatMap((attention, n) => [
    shape("text", { y: topOf(n) + MAP / 2, "dominant-baseline": "central" }, nameOf(attention)),
    ...buttons[n],
  ]));
}

function topOf(n) {
  return n * (MAP + TOLD + SPARE) + 3;
}
