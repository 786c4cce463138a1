// A question to the server that the page came from.

/** JSON in, JSON out; without a body it is only fetched. What is refused is an error with its reason. */
export async function ask(path, body) {
  const answer = await fetch(path, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? answer.statusText);
  return content;
}
