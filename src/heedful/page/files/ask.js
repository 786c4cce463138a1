// A question to the server that the page came from.

/** Nobody is there to answer. */
class Gone extends Error {}

/** A key is wanted, or another one. */
export class Locked extends Error {}

/** JSON or a form in, JSON out; without a body it is only fetched. What is refused is an error with its reason. */
export async function ask(path, body, key) {
  const headers = key ? { Authorization: `Bearer ${encodeURI(key)}` } : {};
  const isForm = body instanceof FormData;
  if (body && !isForm) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, {
    method: body ? "POST" : "GET", headers, body: isForm ? body : body && JSON.stringify(body),
  }).catch((error) => { throw new Gone(error.message); });
  const content = await answer.json();
  if (answer.ok) return content;
  const Reason = answer.headers.has("WWW-Authenticate") ? Locked : Error;
  throw new Reason(content.error ?? answer.statusText);
}

/** Why nothing came, in the reader's language if it is known. */
export function reasonOf(error, say) {
  return error instanceof Gone ? say("gone") : error.message;
}
