// The choice of what is looked at: which attention, layer and head, and whether words or pieces.

import { element, freshId } from "./dom.js";

/** The controls for a state, of a record with these kinds; `layers` are the attentions of its kind.
 * `onChoose({…})` is told what changes. */
export function drawControls(state, kinds, layers, { say, onChoose }) {
  const group = freshId("kind");
  const { nHeads } = layers.find((attention) => attention.layer === state.layer);
  const heads = [["", say("allHeads")], ...Array.from({ length: nHeads }, (_, n) => [n, n + 1])];
  const units = [["words", say("words")], ["pieces", say("pieces")]];
  return [
    element("fieldset", { class: "choice" }, element("legend", {}, say("kind")),
      ...kinds.map((kind) =>
        radio(group, kind, say(kind), state.kind === kind, () => onChoose({ kind })))),
    select("layer", say("layer"), layers.map(({ layer }) => [layer, layer]), state.layer,
      (value) => onChoose({ layer: Number(value) })),
    select("head", say("head"), heads, state.head ?? "",
      (value) => onChoose({ head: value === "" ? null : Number(value) })),
    select("unit", say("unit"), units, state.words ? "words" : "pieces",
      (value) => onChoose({ words: value === "words" })),
    state.words ? element("p", { class: "note" }, say("wordsRule")) : null,
  ];
}

function radio(name, key, text, isChecked, onChoose) {
  return element("label", {},
    element("input", {
      type: "radio", name, checked: isChecked, onchange: onChoose, "data-key": `kind ${key}`,
    }),
    element("span", {}, text));
}

function select(key, name, choices, chosen, onChoose) {
  return element("label", {}, element("span", {}, name),
    element("select", { "data-key": key, onchange: (event) => onChoose(event.target.value) },
      ...choices.map(([value, text]) =>
        element("option", { value, selected: String(value) === String(chosen) }, String(text)))));
}
