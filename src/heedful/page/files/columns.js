// The words on both sides of the arcs: they can be pointed at, and walked through with the keyboard.

import { shape } from "./dom.js";

const LIT = 0.45; // the strongest patch behind a word

/** {nodes, light(focus, strengths)}. `told(side, index)` is what a word is called to those who hear;
 * `onFocus({side, index} or null)` is told where the reader is. */
export function drawColumns({ queries, keys }, layout, { told, onFocus }) {
  const act = { onFocus, enter: (here) => stayAt(columns, here, onFocus), step: (...at) => stepFrom(columns, ...at) };
  const columns = {
    query: queries.map((word, index) => drawWord(word, { side: "query", index }, layout, told, act)),
    key: keys.map((word, index) => drawWord(word, { side: "key", index }, layout, told, act)),
  };

  /** The chosen word, and those of the other side as strongly as they have to do with it. */
  function light(focus, strengths) {
    for (const [side, words] of Object.entries(columns)) {
      words.forEach(({ patch }, index) => {
        const own = focus?.index === index ? 1 : 0;
        const strength = focus?.side === side ? own : strengths.get(index) ?? 0;
        patch.style.fillOpacity = String(LIT * Math.min(1, strength));
      });
    }
  }

  return { nodes: [...columns.query, ...columns.key].map(({ node }) => node), light };
}

function drawWord(word, here, { left, right, gap, pad, row }, told, { onFocus, enter, step }) {
  const { side, index } = here;
  const isQuery = side === "query";
  const patch = shape("rect", {
    x: isQuery ? 0 : left + gap, y: index * row + 2, width: isQuery ? left : right, height: row - 2,
    rx: 3, class: "patch",
  });
  const text = shape("text", {
    x: isQuery ? left - pad : left + gap + pad, y: (index + 0.5) * row + 2,
    "text-anchor": isQuery ? "end" : "start", "dominant-baseline": "central",
  }, word);
  const node = shape("g", {
    class: "word", tabindex: isQuery && index === 0 ? 0 : -1, role: "option", "data-side": side,
    "data-index": index, "aria-label": told(side, index),
    onmouseenter: () => onFocus(here), onmouseleave: () => onFocus(focusedIn(node.parentNode)),
    onfocus: () => enter(here), onblur: () => onFocus(null),
    onkeydown: (event) => step(event, here),
  }, patch, text);
  return { node, patch };
}

/** The word that the keyboard is at, if it is in this picture. */
function focusedIn(picture) {
  const node = document.activeElement;
  return picture?.contains(node) ? { side: node.dataset.side, index: Number(node.dataset.index) } : null;
}

/** Tab leaves the picture, and comes back to the word that was left. */
function stayAt(columns, here, onFocus) {
  for (const { node } of Object.values(columns).flat()) node.setAttribute("tabindex", -1);
  columns[here.side][here.index].node.setAttribute("tabindex", 0);
  onFocus(here);
}

/** Arrow keys go from word to word, and across. */
function stepFrom(columns, event, { side, index }) {
  const moves = {
    ArrowDown: [side, index + 1], ArrowUp: [side, index - 1],
    ArrowLeft: ["query", index], ArrowRight: ["key", index],
  };
  const [column, place] = moves[event.key] ?? [];
  if (column === undefined) return;
  event.preventDefault();
  const words = columns[column];
  words[Math.max(0, Math.min(place, words.length - 1))].node.focus();
}
