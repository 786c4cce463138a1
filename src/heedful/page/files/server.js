// The page as it is served: what it asks is answered by `heedful see`, or by a server that may want a key.

import { startPage } from "./app.js";
import { ask, Locked } from "./ask.js";
import { fill } from "./dom.js";
import { drawKey } from "./form.js";
import { speak, usualLanguage } from "./labels.js";

let key = ""; // known to this page alone, until it is left

/** Those that there are; before, the key, as long as another is wanted. */
async function models() {
  for (;;) {
    try {
      return await ask("api/models", undefined, key);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      key = await typedKey(key ? error.message : "");
    }
  }
}

function typedKey(message) {
  return new Promise((onKey) => {
    fill(document.body, drawKey(message, { say: speak(usualLanguage()), onKey }));
    document.getElementById("key").focus();
  });
}

startPage({
  models,
  attend: (what) => ask("api/attend", what, key),
  head: (what) => ask("api/head", what, key),
});
