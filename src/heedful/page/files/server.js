// The page as it is served: what it asks is answered by `heedful see`.

import { startPage } from "./app.js";

async function ask(path, body) {
  const answer = await fetch(path, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? answer.statusText);
  return content;
}

startPage({
  models: () => ask("api/models"),
  attend: (what) => ask("api/attend", what),
  head: (what) => ask("api/head", what),
});
