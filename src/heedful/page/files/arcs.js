// Two columns of words, and lines from those that look to those looked at: a colour for each head.

import { headColour } from "./colours.js";
import { drawColumns } from "./columns.js";
import { shape } from "./dom.js";
import { headsLegend, titleLine } from "./legend.js";
import { widest } from "./measure.js";
import { rowsOf } from "./record.js";

const ROW = 24;
const GAP = 150; // at least; more rows want flatter lines
const GAP_PER_ROW = 4;
const GAP_SHARE = 0.35; // of the window, at most
const PAD = 8;
const FAINTEST = 0.03; // of the strongest weight; fainter lines are clutter
const LEVELS = 20; // of strength that are told apart
const MANY = 3; // lines of each word while none is chosen

/** {svg, show(focus)}; `name` says what is shown; `onFocus({side, index} or null)` is told where the reader is. */
export function drawArcs(attention, heads, name, { say, onFocus }) {
  const layout = layoutOf(attention);
  const title = titleLine(name);
  const width = Math.max(layout.width, title.width);
  const legend = headsLegend(heads, width, title.height);
  const top = title.height + legend.height + 4;
  const rows = heads.map((head) => rowsOf(attention, head));
  const lines = shape("g", { "aria-hidden": "true" });
  // Drawn once: most of the time is spent there.
  const unchosen = shape("g", { "aria-hidden": "true" }, ...drawLines(strongestPairs(rows), heads, layout));
  const columns = drawColumns(attention, layout, {
    told: (side, index) => toldOfWord(attention, rows, side, index, say), onFocus,
  });
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${top + layout.height}`, width, height: top + layout.height,
    class: "arcs", role: "listbox", "aria-label": say("arcs"),
  }, title.node, legend.node,
    shape("g", { transform: `translate(0, ${top})`, role: "presentation" }, unchosen, lines, ...columns.nodes));

  function show(focus) {
    const pairs = focus ? pairsOf(rows, focus) : [];
    unchosen.setAttribute("visibility", focus ? "hidden" : "visible");
    lines.replaceChildren(...drawLines(pairs, heads, layout));
    columns.light(focus, strengths(pairs, focus, heads.length));
  }

  return { svg, show };
}

/** Where the columns stand, in pixels. */
function layoutOf({ queries, keys }) {
  const left = widest(queries) + 2 * PAD;
  const right = widest(keys) + 2 * PAD;
  const nRows = Math.max(queries.length, keys.length);
  const gap = Math.max(GAP, Math.min(GAP_PER_ROW * nRows, GAP_SHARE * innerWidth));
  return { left, right, gap, pad: PAD, row: ROW, width: left + gap + right, height: nRows * ROW + 6 };
}

/** What one word looks at, or who looks at it: {n, i, j, weight} of the n-th of the heads. */
function pairsOf(rows, { side, index }) {
  return rows.flatMap((of, n) => (side === "query"
    ? Array.from(of[index] ?? [], (weight, j) => ({ n, i: index, j, weight }))
    : of.map((row, i) => ({ n, i, j: index, weight: row[index] }))));
}

/** The few that each word looks at most. */
function strongestPairs(rows) {
  return rows.flatMap((of, n) => of.flatMap((row, i) =>
    [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, MANY)
      .map((j) => ({ n, i, j, weight: row[j] }))));
}

/** Lines of one head that are about as strong are one path: a long sentence has thousands of them,
 * and a browser is slow with thousands of elements. */
function drawLines(pairs, heads, { left, gap, row }) {
  const most = pairs.reduce((so, pair) => Math.max(so, pair.weight), 1e-6);
  const y = (place, n) => ((place + 0.5) * row + 2 + shift(n, heads.length, row)).toFixed(1);
  const paths = new Map();
  for (const { n, i, j, weight } of pairs) {
    if (weight < FAINTEST * most) continue;
    const key = n * (LEVELS + 1) + Math.ceil(LEVELS * (weight / most));
    paths.set(key, `${paths.get(key) ?? ""}M${left} ${y(i, n)}L${left + gap} ${y(j, n)}`);
  }
  return [...paths].map(([key, d]) => {
    const strength = (key % (LEVELS + 1)) / LEVELS;
    return shape("path", {
      d, fill: "none", stroke: headColour(heads[Math.floor(key / (LEVELS + 1))]),
      "stroke-opacity": strength, "stroke-width": (0.6 + 2.4 * strength).toFixed(2),
    });
  });
}

/** Of the n-th of several heads, so that none hides another. */
function shift(n, nHeads, row) {
  return nHeads === 1 ? 0 : ((n + 0.5) / nHeads - 0.5) * (row - 8);
}

/** How much each word of the other side has to do with the chosen one, on average: by its place. */
function strengths(pairs, focus, nHeads) {
  const found = new Map();
  for (const { i, j, weight } of pairs) {
    const place = focus.side === "query" ? j : i;
    found.set(place, (found.get(place) ?? 0) + weight / nHeads);
  }
  return found;
}

/** For those who hear the page: the strongest three. */
function toldOfWord({ queries, keys }, rows, side, index, say) {
  const isQuery = side === "query";
  const [word, others] = isQuery ? [queries[index], keys] : [keys[index], queries];
  const found = strengths(pairsOf(rows, { side, index }), { side }, rows.length);
  const best = [...found].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const list = best.map(([place, weight]) => `${others[place]} ${(100 * weight).toFixed(0)} %`).join(", ");
  return `${word}: ${isQuery ? say("looksAt") : say("seenBy")} ${list}`;
}
