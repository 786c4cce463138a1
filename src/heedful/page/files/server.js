// The page as it is served: what it asks is answered by `heedful see`.

import { startPage } from "./app.js";
import { ask } from "./ask.js";

startPage({
  models: () => ask("api/models"),
  attend: (what) => ask("api/attend", what),
  head: (what) => ask("api/head", what),
});
