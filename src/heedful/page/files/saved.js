// The page as it is saved: it holds its records, and asks nobody.

import { startPage } from "./app.js";

const held = JSON.parse(document.getElementById("records").textContent);

startPage({
  sentences: held.sentences,
  models: async () => held.models,
  attend: async ({ model, source }) => {
    const found = held.records[model][held.sentences.indexOf(source)];
    if (!found) throw new Error(`“${source}” is not in this file`);
    return found;
  },
});
