// The weights as a table, for those who hear the page or want the numbers.

import { element } from "./dom.js";

/** Folded; rows look at columns. */
export function drawTable(queries, keys, rows, { say }) {
  const header = element("tr", {}, element("td", {}, say("query")),
    ...keys.map((key) => element("th", { scope: "col", dir: "auto" }, key)));
  const lines = queries.map((query, i) =>
    element("tr", {}, element("th", { scope: "row", dir: "auto" }, query),
      ...Array.from(rows[i], (weight) => element("td", {}, weight.toFixed(2)))));
  return element("details", {}, element("summary", {}, say("table")),
    element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": say("table") },
      element("table", {}, header, ...lines)));
}
