// One word's way through attention, number by number, with sliders that change it.

import { listed, productsOf, rowAt, walkOf } from "./arithmetic.js";
import { element, fill, freshId } from "./dom.js";
import { tableOfSteps, vectorsOfSteps } from "./steps.js";

/** The panel for one head (from 0) whose vectors are there. `predictions` are the likeliest pieces for
 * each word, or none where nothing is written. */
export function drawWalk(attention, head, vectors, { say, predictions = [], begin = {}, onChange }) {
  const { divisor } = attention.working;
  const chosen = { query: 0, divisor, temperature: 1, mask: true, ...begin };
  const parts = {
    queries: listed(vectors.queries), keys: listed(vectors.keys), values: listed(vectors.values),
  };
  const table = element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": say("walk") });
  const after = element("div", { class: "after" });

  function show() {
    const walked = walkedWith(attention, head, parts, chosen);
    fill(table, tableOfSteps(attention, walked, { say }));
    fill(after, ...vectorsOfSteps(attention, walked, predictions[chosen.query] ?? [], { say }));
  }

  function change(what) {
    Object.assign(chosen, what);
    show();
    onChange?.(chosen);
  }

  show();
  const name = `${say(attention.kind)}, ${say("layer")} ${attention.layer}, ${say("head")} ${head + 1}`;
  return element("div", { class: "walk" },
    element("p", { class: "note" }, name), walkControls(attention, chosen, change, say), table, after);
}

/** The arithmetic of the chosen word, with what was chosen. */
function walkedWith(attention, head, { queries, keys, values }, { query, divisor, temperature, mask }) {
  const { working } = attention;
  const recorded = rowAt(working.products, head * attention.queries.length + query);
  const products = productsOf(queries[query], keys, recorded);
  const found = walkOf({
    products, values, divisor, temperature,
    allowed: mask ? rowAt(working.mask, query) : null,
    factor: working.factor && rowAt(working.factor, query),
  });
  const isMaskOff = !mask && working.mask.data.includes(0);
  return { ...found, products, head, query, isMaskOff };
}

function walkControls({ working, queries }, chosen, change, say) {
  const words = element("select", { onchange: (event) => change({ query: Number(event.target.value) }) },
    ...queries.map((word, i) =>
      element("option", { value: i, selected: i === chosen.query }, `${i + 1} ${word}`)));
  const mask = element("input", {
    type: "checkbox", checked: chosen.mask, onchange: (event) => change({ mask: event.target.checked }),
  });
  return element("div", { class: "controls" },
    labelled(say("walkOf"), words),
    slider(say("temperature"), 0.1, 4, chosen.temperature, (temperature) => change({ temperature })),
    working.divisor > 1 &&
      slider(say("divisor"), 1, working.divisor, chosen.divisor, (divisor) => change({ divisor })),
    working.mask.data.includes(0) && labelled(say("mask"), mask));
}

function labelled(name, input) {
  return element("label", {}, element("span", {}, name), input);
}

function slider(name, least, most, value, onMove) {
  const id = freshId("slider");
  const output = element("output", { for: id }, value.toFixed(2));
  const input = element("input", {
    id, type: "range", min: least, max: most, step: "any", value,
    oninput: (event) => {
      fill(output, Number(event.target.value).toFixed(2));
      onMove(Number(event.target.value));
    },
  });
  return element("label", {}, element("span", {}, name), input, output);
}
