// The place of the walk in a view: it fetches the vectors of a head that the record lacks.

import { reasonOf } from "./ask.js";
import { element, fill } from "./dom.js";
import { openVectors } from "./record.js";
import { drawWalk } from "./walk.js";

export class Walking {
  /** `chosen` is what was chosen in an earlier walk; `loadHead(kind, layer, head)` fetches vectors, or
   * is null; `onChange()` is told when something is chosen. */
  constructor(record, { say, chosen, loadHead, onChange }) {
    Object.assign(this, { record, say, loadHead, onChange });
    this.chosen = { ...chosen };
    this.node = element("div", { class: "part-walk" });
  }

  /** Of a head, from 0: its walk, or the way to it. */
  show(attention, head) {
    this.at = { attention, head };
    const { working } = attention;
    if (!working) fill(this.node);
    else if (working.vectors[head + 1]) this.draw(working.vectors[head + 1]);
    else if (!this.loadHead) fill(this.node, element("p", { class: "note" }, this.say("notRecorded")));
    else if (this.chosen.isShown) this.load();
    else this.offer();
  }

  draw(vectors) {
    const { attention, head } = this.at;
    fill(this.node, drawWalk(attention, head, vectors, {
      say: this.say,
      predictions: attention.kind === "encoder" ? [] : this.record.predictions,
      begin: walkable(this.chosen, attention),
      onChange: (chosen) => {
        Object.assign(this.chosen, chosen);
        this.onChange?.();
      },
    }));
  }

  offer() {
    const { say, at: { attention, head } } = this;
    const name = `${say(attention.kind)}, ${say("layer")} ${attention.layer}, ${say("head")} ${head + 1}`;
    fill(this.node, element("button", {
      type: "button", class: "load-walk", onclick: () => this.load(),
    }, `${say("loadWalk")} (${name})`));
  }

  /** From now on the walk of whichever head is looked at is shown. */
  async load() {
    const { attention, head } = this.at;
    this.chosen.isShown = true;
    try {
      const found = await this.loadHead(attention.kind, attention.layer, head + 1);
      attention.working.vectors[head + 1] = openVectors(found);
      if (this.at.attention === attention && this.at.head === head) this.show(attention, head);
      this.onChange?.();
    } catch (error) {
      const told = `${this.say("failed")}: ${reasonOf(error, this.say)}`;
      fill(this.node, element("p", { class: "message", role: "alert" }, told));
    }
  }
}

/** Of what was chosen in another walk, what fits this one. */
function walkable({ query, temperature, divisor, mask }, attention) {
  const found = {};
  if (Number.isInteger(query) && query >= 0 && query < attention.queries.length) found.query = query;
  if (temperature > 0) found.temperature = temperature;
  if (divisor >= 1 && divisor <= attention.working.divisor) found.divisor = divisor;
  if (mask === false) found.mask = false;
  return found;
}
