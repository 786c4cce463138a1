// All heads of one kind of attention, layer by layer: pick one.

import { element } from "./dom.js";
import { pixels } from "./heatmap.js";
import { headStatistics, rowsOf } from "./record.js";

/** A table of buttons; `onPick(layer, head)`, heads from 0. */
export function drawGrid(attentions, chosen, { say, onPick }) {
  const table = element("table", { class: "grid" }, element("caption", {}, say("headsNote")));
  for (const attention of attentions) {
    const row = element("tr", {}, element("th", { scope: "row" }, `${say("layer")} ${attention.layer}`));
    for (let head = 0; head < attention.nHeads; head++) {
      const rows = rowsOf(attention, head);
      const { entropy, distance } = headStatistics(attention, head);
      const isChosen = chosen.layer === attention.layer && chosen.head === head;
      const told = `${entropy.toFixed(1)} ${say("bits")}, ${distance.toFixed(1)} ${say("away")}`;
      const picture = element("img", {
        src: pixels(rows, Math.max(1e-6, ...rows.map((of) => Math.max(...of)))), alt: "",
      });
      row.append(
        element("td", {},
          element("button", {
            type: "button", class: "head", "data-key": `head ${attention.layer} ${head}`, "aria-pressed": String(isChosen),
            "aria-label": `${say("layer")} ${attention.layer}, ${say("head")} ${head + 1}: ${told}`,
            onclick: () => onPick(attention.layer, head),
          }, picture),
          element("small", {}, told),
        ),
      );
    }
    table.append(row);
  }
  return table;
}
