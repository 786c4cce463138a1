// A question to the server that the page came from.

/** Nobody is there to answer. */
class Gone extends Error {}

/** JSON in, JSON out; without a body it is only fetched. What is refused is an error with its reason. */
export async function ask(path, body) {
  const answer = await fetch(path, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch((error) => { throw new Gone(error.message); });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? answer.statusText);
  return content;
}

/** Why nothing came, in the reader's language if it is known. */
export function reasonOf(error, say) {
  return error instanceof Gone ? say("gone") : error.message;
}
