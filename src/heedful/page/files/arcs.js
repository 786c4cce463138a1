// Two columns of words, and lines from those that look to those looked at: a colour for each head.

import { headColour } from "./colours.js";
import { shape } from "./dom.js";
import { widest } from "./measure.js";
import { rowsOf } from "./record.js";

const ROW = 24;
const GAP = 150;
const PAD = 8;
const FAINTEST = 0.03; // of the strongest weight; fainter lines are clutter
const MANY = 3; // lines of each word while none is chosen

/** {svg, show(focus)}; `onFocus({side, index} or null)` is told where the reader is. */
export function drawArcs(attention, heads, { say, onFocus }) {
  const left = widest(attention.queries) + 2 * PAD;
  const right = widest(attention.keys) + 2 * PAD;
  const width = left + GAP + right;
  const height = Math.max(attention.queries.length, attention.keys.length) * ROW + 4;
  const rows = heads.map((head) => rowsOf(attention, head));
  const lines = shape("g", { "aria-hidden": "true" });
  const unchosen = shape("g", { "aria-hidden": "true" }); // drawn once: most of the time is spent there
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, class: "arcs", role: "listbox",
    "aria-label": say("arcs"),
  });
  const columns = {
    query: attention.queries.map((word, i) => wordAt(word, i, "query", left - PAD, "end")),
    key: attention.keys.map((word, j) => wordAt(word, j, "key", left + GAP + PAD, "start")),
  };
  svg.append(unchosen, lines, ...columns.query.map((w) => w.node), ...columns.key.map((w) => w.node));

  function wordAt(word, index, side, x, anchor) {
    const isQuery = side === "query";
    const span = isQuery ? [0, left] : [left + GAP, right];
    const patch = shape("rect", {
      x: span[0], y: index * ROW + 2, width: span[1], height: ROW - 2, rx: 3, class: "patch",
    });
    const text = shape("text", {
      x, y: (index + 0.5) * ROW + 2, "text-anchor": anchor, "dominant-baseline": "central",
    }, word);
    const here = { side, index };
    const node = shape("g", {
      class: "word", tabindex: side === "query" && index === 0 ? 0 : -1, role: "option", "data-side": side, "data-index": index,
      "aria-label": told(side, index),
      onmouseenter: () => onFocus(here), onmouseleave: () => onFocus(focused()),
      onfocus: () => stayAt(here), onblur: () => onFocus(null),
      onkeydown: (event) => step(event, side, index),
    }, patch, text);
    return { node, patch };
  }

  /** The word that the keyboard is at, if it is here. */
  function focused() {
    const node = document.activeElement;
    return svg.contains(node) ? { side: node.dataset.side, index: Number(node.dataset.index) } : null;
  }

  /** Tab leaves the picture, and comes back to the word that was left. */
  function stayAt(here) {
    for (const words of Object.values(columns)) {
      for (const { node } of words) node.setAttribute("tabindex", -1);
    }
    columns[here.side][here.index].node.setAttribute("tabindex", 0);
    onFocus(here);
  }

  /** Arrow keys go from word to word, and across. */
  function step(event, side, index) {
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

  /** For those who hear the page: the strongest three. */
  function told(side, index) {
    const weights = side === "query"
      ? mean(rows.map((of) => of[index]))
      : mean(rows.map((of) => of.map((row) => row[index])));
    const others = side === "query" ? attention.keys : attention.queries;
    const best = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, 3);
    const list = best.map((j) => `${others[j]} ${(100 * weights[j]).toFixed(0)} %`).join(", ");
    const word = (side === "query" ? attention.queries : attention.keys)[index];
    return `${word}: ${side === "query" ? say("looksAt") : say("seenBy")} ${list}`;
  }

  function show(focus) {
    unchosen.setAttribute("visibility", focus ? "hidden" : "visible");
    const pairs = focus ? chosen(focus) : [];
    lines.replaceChildren(...drawn(pairs));
    const lit = new Map();
    for (const pair of pairs) {
      const place = focus.side === "query" ? `key ${pair.j}` : `query ${pair.i}`;
      lit.set(place, (lit.get(place) ?? 0) + pair.weight / heads.length);
    }
    if (focus) lit.set(`${focus.side} ${focus.index}`, 1);
    for (const [side, words] of Object.entries(columns)) {
      words.forEach(({ patch }, index) => {
        patch.style.fillOpacity = String(0.45 * Math.min(1, lit.get(`${side} ${index}`) ?? 0));
      });
    }
  }

  function drawn(pairs) {
    const most = Math.max(1e-6, ...pairs.map((pair) => pair.weight));
    return pairs.filter((pair) => pair.weight >= FAINTEST * most).map((pair) =>
      shape("line", {
        x1: left, y1: (pair.i + 0.5) * ROW + 2 + shift(pair.n),
        x2: left + GAP, y2: (pair.j + 0.5) * ROW + 2 + shift(pair.n),
        stroke: headColour(heads[pair.n]), "stroke-opacity": (pair.weight / most).toFixed(3),
        "stroke-width": (0.6 + 2.4 * (pair.weight / most)).toFixed(2),
      }),
    );
  }

  function shift(n) {
    return heads.length === 1 ? 0 : ((n + 0.5) / heads.length - 0.5) * (ROW - 8);
  }

  function chosen({ side, index }) {
    const pairs = [];
    rows.forEach((of, n) => {
      if (side === "query") of[index]?.forEach((weight, j) => pairs.push({ n, i: index, j, weight }));
      else of.forEach((row, i) => pairs.push({ n, i, j: index, weight: row[index] }));
    });
    return pairs;
  }

  function strongest() {
    const pairs = [];
    rows.forEach((of, n) =>
      of.forEach((row, i) => {
        const best = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, MANY);
        for (const j of best) pairs.push({ n, i, j, weight: row[j] });
      }),
    );
    return pairs;
  }

  unchosen.append(...drawn(strongest()));
  return { svg, show };
}

function mean(rows) {
  return rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
}
