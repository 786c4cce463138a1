// One record, seen: the page and the notebook show this.

import { drawArcs } from "./arcs.js";
import { drawDecoding } from "./decoding.js";
import { element, fill, freshId, keepingFocus } from "./dom.js";
import { figureOf } from "./figure.js";
import { drawGrid } from "./grid.js";
import { drawHeatMap } from "./heatmap.js";
import { drawPositions } from "./positions.js";
import { byWords, meanRows, openRecord, openVectors, wordStarts } from "./record.js";
import { drawWalk } from "./walk.js";

/** {node, state(), stop()}. `plain` is the record as JSON; `begin` is a state to begin with.
 * `loadHead(kind, layer, head)` fetches vectors that the record lacks, or is null; `onFork(ids)`
 * translates anew from a prefix, or is null; `positions` is the table of the model, if it has one;
 * `onChange()` is told when the state changes. */
export function createView(plain, { say, begin = {}, loadHead = null, onFork = null, positions = null, onChange }) {
  const record = openRecord(plain);
  const kinds = [...new Set(record.attentions.map((attention) => attention.kind))];
  const state = { ...usual(record, kinds), ...known(begin, kinds) };
  const walked = { ...(begin.walk ?? {}) }; // what was chosen in the walk of one word
  let at = Math.max(0, Math.min(Number.isInteger(begin.step) ? begin.step : 0, record.target_pieces.length - 1));
  clamp();
  const parts = Object.fromEntries(
    ["controls", "arcs", "map", "grid", "walk", "table", "positions"].map((name) => [
      name,
      element("div", { class: `part-${name}` }),
    ]),
  );
  let drawn = [];
  const decoding = drawDecoding(record, { say, onFork, begin: at, onStep: (index) => {
    at = index;
    lightWritten(index);
    onChange?.();
  } });

  function layersOf(kind) {
    return record.attentions.filter((attention) => attention.kind === kind);
  }

  function pieces() {
    const layers = layersOf(state.kind);
    return layers.find((attention) => attention.layer === state.layer) ?? layers.at(-1);
  }

  function set(what) {
    Object.assign(state, what);
    clamp();
    keepingFocus(node, show);
    onChange?.();
  }

  /** To what there is. */
  function clamp() {
    const attention = pieces();
    state.layer = attention.layer;
    if (state.head !== null && state.head >= attention.nHeads) state.head = null;
  }

  function show() {
    const attention = state.words ? byWords(pieces()) : pieces();
    const every = Array.from({ length: attention.nHeads }, (_, head) => head);
    const heads = state.head === null ? every : [state.head];
    const look = { say, onFocus: light };
    const arcs = drawArcs(attention, heads, look);
    const map = drawHeatMap(attention.queries, attention.keys, meanRows(attention, heads), look);
    drawn = [arcs, map];
    showControls(attention);
    fill(parts.arcs, figureOf(say("arcs"), arcs.svg, "arcs", { say }));
    fill(parts.map, figureOf(say("heatMap"), map.svg, "weights", { say }));
    const grid = drawGrid(layersOf(state.kind), state, {
      say, onPick: (layer, head) => set({ layer, head: isChosen(layer, head) ? null : head }),
    });
    fill(parts.grid, figureOf(say("headsNote"), grid, "heads", { say }));
    fill(parts.table, weightTable(attention, heads));
    showWalk();
  }

  function isChosen(layer, head) {
    return state.layer === layer && state.head === head;
  }

  function light(focus) {
    for (const picture of drawn) picture.show(focus);
  }

  /** While the translation is written, what its next piece looks at. */
  function lightWritten(index) {
    if (state.kind === "encoder") return;
    const place = state.words ? wordOf(record.target_pieces, index) : index;
    light({ side: "query", index: place });
  }

  function showControls(attention) {
    const name = freshId("kind");
    fill(parts.controls,
      element("fieldset", { class: "choice" }, element("legend", {}, say("kind")),
        ...kinds.map((kind) => radio(name, kind, say(kind), state.kind === kind, () => set({ kind }))) ),
      element("label", {}, element("span", {}, say("layer")), select("layer",
        layersOf(state.kind).map((of) => [of.layer, of.layer]), state.layer,
        (value) => set({ layer: Number(value) }))),
      element("label", {}, element("span", {}, say("head")), select("head",
        [["", say("allHeads")], ...Array.from({ length: attention.nHeads }, (_, n) => [n, n + 1])],
        state.head ?? "", (value) => set({ head: value === "" ? null : Number(value) }))),
      element("label", {}, element("span", {}, say("unit")), select("unit",
        [["words", say("words")], ["pieces", say("pieces")]], state.words ? "words" : "pieces",
        (value) => set({ words: value === "words" }))),
      state.words ? element("p", { class: "note" }, say("wordsRule")) : null,
    );
  }

  function showWalk() {
    const attention = pieces();
    const head = state.head ?? 0;
    if (!attention.working) return void fill(parts.walk);
    const vectors = attention.working.vectors[head + 1];
    if (vectors) {
      return void fill(parts.walk, drawWalk(attention, head, vectors, {
        say, begin: walkable(walked, attention), onChange: (chosen) => {
          Object.assign(walked, chosen);
          onChange?.();
        },
      }));
    }
    if (!loadHead) return void fill(parts.walk, element("p", { class: "note" }, say("notRecorded")));
    if (walked.isShown) return void loadWalk(attention, head);
    fill(parts.walk, element("button", {
      type: "button", class: "load-walk", onclick: () => loadWalk(attention, head),
    }, `${say("loadWalk")} (${say(attention.kind)}, ${say("layer")} ${attention.layer}, ${say("head")} ${head + 1})`));
  }

  /** From now on the walk of whichever head is looked at is shown. */
  async function loadWalk(attention, head) {
    walked.isShown = true;
    try {
      const found = await loadHead(attention.kind, attention.layer, head + 1);
      attention.working.vectors[head + 1] = openVectors(found);
      if (pieces() === attention && (state.head ?? 0) === head) showWalk();
      onChange?.();
    } catch (error) {
      fill(parts.walk, element("p", { class: "message", role: "alert" }, `${say("failed")}: ${error.message}`));
    }
  }

  function weightTable(attention, heads) {
    const rows = meanRows(attention, heads);
    return element("details", {}, element("summary", {}, say("table")),
      element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": say("table") },
        element("table", {},
          element("tr", {}, element("td", {}, say("query")),
            ...attention.keys.map((key) => element("th", { scope: "col", dir: "auto" }, key))),
          ...attention.queries.map((query, i) =>
            element("tr", {}, element("th", { scope: "row", dir: "auto" }, query),
              ...Array.from(rows[i], (weight) => element("td", {}, weight.toFixed(2))))))));
  }

  const node = element("section", { class: "view" },
    element("p", { class: "model" }, record.model),
    element("p", { class: "translation", dir: "auto", lang: record.languages?.[1] || null }, record.target),
    parts.controls,
    element("div", { class: "side-by-side" }, parts.arcs, parts.map),
    parts.table,
    folded(say("heads"), parts.grid, true),
    folded(say("walk"), parts.walk, true),
    folded(say("decoding"), decoding.node, true),
    positions && folded(say("positions"), parts.positions, false),
  );
  node.querySelector(".part-positions")?.closest("details").addEventListener("toggle", showPositions);

  /** Only once somebody looks: they are many numbers. */
  function showPositions(event) {
    fill(parts.positions, event.target.open && drawPositions(positions, { say }));
  }

  function redraw() {
    keepingFocus(node, show);
    if (parts.positions.hasChildNodes()) fill(parts.positions, drawPositions(positions, { say }));
  }

  show();
  return { node, state: () => ({ ...state, step: at, walk: walked }), stop: decoding.stop, redraw };
}

function folded(title, content, isOpen) {
  return element("details", { class: "folded", open: isOpen }, element("summary", {}, title), content);
}

function usual(record, kinds) {
  const kind = kinds.includes("cross") ? "cross" : kinds[0];
  const layers = record.attentions.filter((attention) => attention.kind === kind);
  return { kind, layer: layers.at(-1).layer, head: null, words: true };
}

/** Of what was chosen in another walk, what fits this one. */
function walkable(walked, attention) {
  const { query, temperature, divisor, mask } = walked;
  const found = {};
  if (Number.isInteger(query) && query >= 0 && query < attention.queries.length) found.query = query;
  if (temperature > 0) found.temperature = temperature;
  if (divisor >= 1 && divisor <= attention.working.divisor) found.divisor = divisor;
  if (mask === false) found.mask = false;
  return found;
}

/** Of a state that came from outside, what makes sense here. */
function known(begin, kinds) {
  const found = {};
  if (kinds.includes(begin.kind)) found.kind = begin.kind;
  if (Number.isInteger(begin.layer) && begin.layer > 0) found.layer = begin.layer;
  if (begin.head === null || (Number.isInteger(begin.head) && begin.head >= 0)) found.head = begin.head;
  if (typeof begin.words === "boolean") found.words = begin.words;
  return found;
}

/** Which word a piece is part of. */
function wordOf(pieces, index) {
  return wordStarts(pieces).filter((start) => start <= index).length - 1;
}

function radio(name, key, text, isChecked, onChoose) {
  return element("label", {},
    element("input", {
      type: "radio", name, checked: isChecked, onchange: onChoose, "data-key": `kind ${key}`,
    }),
    element("span", {}, text));
}

function select(key, choices, chosen, onChoose) {
  return element("select", { "data-key": key, onchange: (event) => onChoose(event.target.value) },
    ...choices.map(([value, text]) =>
      element("option", { value, selected: String(value) === String(chosen) }, String(text))));
}
