// One word's way through attention, number by number, with sliders that change it.

import { listed, productsOf, walkOf } from "./arithmetic.js";
import { shade, isDark } from "./colours.js";
import { element, fill, freshId } from "./dom.js";

const SHOWN = 24; // numbers of a vector

/** The panel for one head (from 0) whose vectors are there. */
export function drawWalk(attention, head, vectors, { say, begin = {}, onChange }) {
  const queries = listed(vectors.queries);
  const keys = listed(vectors.keys);
  const values = listed(vectors.values);
  const { divisor, products, mask, factor, outcome } = attention.working;
  const nKeys = attention.keys.length;
  const chosen = { query: 0, divisor, temperature: 1, mask: true, ...begin };
  const table = element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": say("walk") });
  const context = element("p", { class: "numbers context" });
  const made = element("p", { class: "numbers made" });

  const pick = element("select", { onchange: (event) => change({ query: Number(event.target.value) }) },
    ...attention.queries.map((word, i) =>
      element("option", { value: i, selected: i === chosen.query }, `${i + 1} ${word}`)));
  const controls = element("div", { class: "controls" },
    labelled(say("walkOf"), pick),
    slider(say("temperature"), 0.1, 4, chosen.temperature, (value) => change({ temperature: value })),
    divisor > 1 && slider(say("divisor"), 1, divisor, chosen.divisor, (value) => change({ divisor: value })),
    labelled(say("mask"), element("input", {
      type: "checkbox", checked: chosen.mask, onchange: (event) => change({ mask: event.target.checked }),
    })),
  );

  function change(what) {
    Object.assign(chosen, what);
    show();
    onChange?.(chosen);
  }

  function rowOf(array, i) {
    const start = (head * attention.queries.length + i) * nKeys;
    return Array.from(array.subarray(start, start + nKeys));
  }

  function show() {
    const i = chosen.query;
    const recorded = rowOf(products.data, i);
    const scores = productsOf(queries[i], keys, recorded);
    const allowed = chosen.mask
      ? Array.from(mask.data.subarray(i * nKeys, (i + 1) * nKeys))
      : null;
    const found = walkOf({
      products: scores, values, divisor: chosen.divisor, temperature: chosen.temperature, allowed,
      factor: factor && Array.from(factor.data.subarray(i * nKeys, (i + 1) * nKeys)),
    });
    const rows = [
      [attention.working.score, scores, false],
      ...(divisor > 1 ? [[say("divided"), found.divided, false]] : []),
      [say("masked"), found.masked, false],
      [say("softmax"), found.shares, true],
      ...(factor ? [[say("near"), found.weights, true]] : []),
      [say("recorded"), rowOf(attention.weights, i), true],
    ];
    fill(table, element("table", {},
      element("tr", {}, element("td"), ...attention.keys.map((key) => element("th", { scope: "col" }, key))),
      ...rows.map(([name, numbers, areWeights]) => numberRow(name, numbers, areWeights)),
    ));
    fill(context, `${say("contextRow")}: ${some(found.context)}`);
    const width = outcome.shape[1];
    const recordedOutcome = Array.from(outcome.data.subarray(i * width, (i + 1) * width));
    fill(made, `${say("outcomeRow")} ${attention.working.made_by}: ${some(recordedOutcome)}`);
  }

  show();
  const name = `${say(attention.kind)}, ${say("layer")} ${attention.layer}, ${say("head")} ${head + 1}`;
  return element("div", { class: "walk" }, element("p", { class: "note" }, name), controls, table, context, made);
}

/** The first numbers of a vector. */
function some(vector) {
  const shown = vector.slice(0, SHOWN).map((value) => value.toFixed(2)).join("  ");
  return `${shown}${vector.length > SHOWN ? " …" : ""}`;
}

function numberRow(name, numbers, areWeights) {
  const dark = isDark();
  const cells = numbers.map((number) => {
    const cell = element("td", {}, number === -Infinity ? "−∞" : number.toFixed(2));
    if (areWeights) {
      const [red, green, blue] = shade(number, dark);
      cell.style.background = `rgb(${red} ${green} ${blue})`;
      cell.style.color = (red + green + blue) / 3 > 140 ? "#111" : "#fff";
    }
    return cell;
  });
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
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
