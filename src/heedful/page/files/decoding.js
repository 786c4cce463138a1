// The translation as it was written, piece by piece, with what might have come instead.

import { element, fill } from "./dom.js";
import { shownPiece } from "./record.js";

const PACE = 700; // milliseconds a step

export class Decoding {
  /** `onFork(ids)` asks for a translation that begins with these, and is null where none can be made;
   * `onStep(index)` is told where the reader is. */
  constructor(record, { say, begin, onFork, onStep }) {
    Object.assign(this, { record, say, onFork, onStep, step: begin, timer: null });
    this.pieces = record.target_pieces;
    const about = { dir: "auto", lang: record.languages?.[1] || null };
    this.written = element("p", { class: "written", ...about });
    this.told = element("p", { class: "told-piece", "aria-live": "polite", ...about });
    this.choices = element("div", { class: "choices" });
    this.play = element("button", { type: "button", class: "play", onclick: () => this.toggle() }, say("play"));
    this.node = element("div", { class: "decoding" }, this.buttons(), this.written, this.told, this.choices);
    this.show();
  }

  buttons() {
    const button = (name, by) => element("button", {
      type: "button", class: name, onclick: () => this.goTo(this.step + by),
    }, this.say(name));
    return element("div", { class: "controls" }, button("back", -1), this.play, button("forward", 1));
  }

  get isAtEnd() {
    return this.step >= this.pieces.length - 1;
  }

  toggle() {
    if (this.timer) return void this.stop();
    if (this.isAtEnd) this.goTo(0);
    this.timer = setInterval(() => (this.isAtEnd ? this.stop() : this.moveTo(this.step + 1)), PACE);
    fill(this.play, this.say("pause"));
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    fill(this.play, this.say("play"));
  }

  goTo(place) {
    this.stop();
    this.moveTo(place);
  }

  moveTo(place) {
    this.step = Math.max(0, Math.min(place, this.pieces.length - 1));
    this.show();
    fill(this.told, shownPiece(this.pieces[this.step]));
    this.onStep(this.step);
  }

  show() {
    const { say, step, pieces, record, onFork } = this;
    fill(this.written, ...pieces.map((piece, i) =>
      element("span", {
        class: i < step ? "done" : i === step ? "now" : "later",
        "aria-current": i === step ? "step" : null,
      }, `${piece.startsWith("▁") && i ? " " : ""}${piece === "▁" ? "" : shownPiece(piece)}`)));
    fill(this.choices,
      element("p", {}, say(onFork ? "likeliest" : "forkOffline")),
      element("ol", {}, ...(record.predictions[step] ?? []).map((candidate) => this.choice(candidate))));
  }

  /** A candidate; one that was not written, and is no end, can be taken. */
  choice({ piece, id, probability }) {
    const chance = `${(100 * probability).toFixed(1)} %`;
    const told = `${shownPiece(piece)} ${chance}`;
    const words = [
      element("span", { class: "piece" }, shownPiece(piece)),
      element("meter", { min: 0, max: 1, value: probability, "aria-hidden": "true" }, told),
      element("span", { class: "chance" }, chance),
    ];
    const isWritten = piece === this.pieces[this.step];
    if (!this.onFork || isWritten || piece === "</s>") {
      return element("li", { class: isWritten ? "written-one" : "" }, ...words);
    }
    const before = this.record.target_ids.slice(0, this.step);
    return element("li", {}, element("button", {
      type: "button", "aria-label": told, onclick: () => this.onFork([...before, id]),
    }, ...words));
  }
}
