// One record, seen: the page and the notebook show this.

import { drawArcs } from "./arcs.js";
import { drawControls } from "./controls.js";
import { Decoding } from "./decoding.js";
import { element, fill, keepingFocus } from "./dom.js";
import { figureOf } from "./figure.js";
import { drawGrid } from "./grid.js";
import { drawHeatMap } from "./heatmap.js";
import { fileName, nameOfHeads } from "./legend.js";
import { drawPositions } from "./positions.js";
import { byWords, joinWords, meanRows, openRecord, wordStarts } from "./record.js";
import { knownState, knownStep, usualState } from "./state.js";
import { drawTable } from "./table.js";
import { Walking } from "./walking.js";

const PARTS = ["controls", "arcs", "map", "grid", "table", "positions"];

export class View {
  /** `plain` is the record as JSON; `begin` is a state to begin with. `loadHead(kind, layer, head)`
   * fetches vectors that the record lacks, or is null; `onFork(ids)` translates anew from a prefix, or
   * is null; the first `nForced` pieces were given so; `positions` is the table of the model, if it has one; `onChange()` is told when the state
   * changes. */
  constructor(plain, { say, begin = {}, loadHead = null, onFork = null, nForced = 0, positions = null, onChange }) {
    Object.assign(this, { say, onFork, nForced, positions, onChange });
    this.record = openRecord(plain);
    this.kinds = [...new Set(this.record.attentions.map((attention) => attention.kind))];
    this.chosen = { ...usualState(this.record, this.kinds), ...knownState(begin, this.kinds) };
    this.step = knownStep(begin.step, this.record.target_pieces);
    this.clamp();
    this.pictures = []; // that light up together
    this.parts = Object.fromEntries(
      PARTS.map((name) => [name, element("div", { class: `part-${name}` })]),
    );
    this.walking = new Walking(this.record, { say, chosen: begin.walk, loadHead, onChange });
    this.decoding = new Decoding(this.record, {
      say, onFork, begin: this.step, onStep: (index) => this.stepTo(index),
    });
    this.node = this.frame();
    this.show();
    this.sizes = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.sizes.observe(this.parts.grid);
  }

  /** What a link must hold to restore the view. */
  state() {
    return { ...this.chosen, step: this.step, walk: this.walking.chosen };
  }

  /** Nothing moves any more. */
  stop() {
    this.decoding.stop();
    this.sizes.disconnect();
  }

  /** After the colours have changed. */
  redraw() {
    keepingFocus(this.node, () => this.show());
    if (this.parts.positions.hasChildNodes()) this.showPositions(true);
  }

  choose(what) {
    Object.assign(this.chosen, what);
    this.clamp();
    keepingFocus(this.node, () => this.show());
    this.onChange?.();
  }

  /** To what there is. */
  clamp() {
    const attention = this.ofPieces();
    this.chosen.layer = attention.layer;
    if (this.chosen.head !== null && this.chosen.head >= attention.nHeads) this.chosen.head = null;
  }

  layers() {
    return this.record.attentions.filter((attention) => attention.kind === this.chosen.kind);
  }

  /** The chosen attention, as it was recorded. */
  ofPieces() {
    const layers = this.layers();
    return layers.find((attention) => attention.layer === this.chosen.layer) ?? layers.at(-1);
  }

  frame() {
    const { say, record, parts } = this;
    const about = { dir: "auto", lang: record.languages?.[1] || null };
    return element("section", { class: "view" },
      element("p", { class: "model" }, record.model),
      element("p", { class: "translation", ...about }, record.target),
      this.nForced > 0 && this.forced(),
      parts.controls,
      element("div", { class: "side-by-side" }, parts.arcs, parts.map),
      parts.table,
      folded(say("heads"), parts.grid),
      folded(say("walk"), this.walking.node),
      folded(say("decoding"), this.decoding.node),
      // Only once somebody looks: they are many numbers.
      this.positions && folded(say("positions"), parts.positions, {
        open: false, ontoggle: (event) => this.showPositions(event.target.open),
      }));
  }

  /** That somebody chose how the translation begins, and the way back. */
  forced() {
    const { say, record, nForced } = this;
    const begin = joinWords(record.target_pieces.slice(0, nForced)).join(" ");
    return element("p", { class: "note forced" }, say("forked").replace("#", () => begin), " ",
      this.onFork && element("button", { type: "button", class: "own", onclick: () => this.onFork([]) }, say("own")));
  }

  show() {
    const { say, chosen, parts } = this;
    const attention = chosen.words ? byWords(this.ofPieces()) : this.ofPieces();
    const every = Array.from({ length: attention.nHeads }, (_, head) => head);
    const heads = chosen.head === null ? every : [chosen.head];
    const rows = meanRows(attention, heads);
    const controls = drawControls(chosen, this.kinds, this.layers(), {
      say, onChoose: (what) => this.choose(what),
    });
    fill(parts.controls, ...controls);
    this.showPictures(attention, heads, rows);
    fill(parts.table, drawTable(attention.queries, attention.keys, rows, { say }));
    this.walking.show(this.ofPieces(), chosen.head ?? 0);
  }

  showPictures(attention, heads, rows) {
    const { say, parts } = this;
    const look = { say, onFocus: (focus) => this.light(focus) };
    const arcs = drawArcs(attention, heads, nameOfHeads(attention, heads, say("allHeads"), look), look);
    const name = nameOfHeads(attention, heads, say("meanOf"), look);
    const map = drawHeatMap(attention.queries, attention.keys, rows, name, look);
    this.pictures = [arcs, map];
    const file = (picture) => fileName(picture, attention, this.chosen.head);
    fill(parts.arcs, figureOf(say("arcs"), arcs.svg, file("arcs"), { say }));
    fill(parts.map, figureOf(say("heatMap"), map.svg, file("weights"), { say, below: map.told }));
    this.showGrid();
  }

  /** As wide as there is room. */
  showGrid() {
    const { say, chosen, parts } = this;
    this.room = parts.grid.clientWidth || innerWidth;
    const grid = drawGrid(this.layers(), chosen, this.room, {
      say, onPick: (layer, head) => this.pick(layer, head),
    });
    fill(parts.grid, figureOf(say("headsNote"), grid, `heads-${chosen.kind}`, { say }));
  }

  /** After the view has got its place, or another width. */
  fit() {
    if (!this.parts.grid.clientWidth || this.parts.grid.clientWidth === this.room) return;
    keepingFocus(this.parts.grid, () => this.showGrid());
  }

  /** A head of the grid; the chosen one is let go. */
  pick(layer, head) {
    const isChosen = this.chosen.layer === layer && this.chosen.head === head;
    this.choose({ layer, head: isChosen ? null : head });
  }

  light(focus) {
    for (const picture of this.pictures) picture.show(focus);
  }

  /** While the translation is written, what its next piece looks at. */
  stepTo(index) {
    this.step = index;
    if (this.chosen.kind !== "encoder") {
      const place = this.chosen.words ? wordOf(this.record.target_pieces, index) : index;
      this.light({ side: "query", index: place });
    }
    this.onChange?.();
  }

  showPositions(isOpen) {
    fill(this.parts.positions, isOpen && drawPositions(this.positions, { say: this.say }));
  }
}

function folded(title, content, how = { open: true }) {
  return element("details", { class: "folded", ...how }, element("summary", {}, title), content);
}

/** Which word a piece is part of. */
function wordOf(pieces, index) {
  return wordStarts(pieces).filter((start) => start <= index).length - 1;
}
