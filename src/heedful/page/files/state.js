// What of a record is looked at: {kind, layer, head (from 0, or null for all), words}.

/** To begin with: the attention over the source that tells best which words belong together, or else the
 * last, all heads, between words. */
export function usualState(record, kinds) {
  const kind = kinds.includes("cross") ? "cross" : kinds[0];
  const layers = record.attentions.filter((attention) => attention.kind === kind);
  const best = layers.find(({ layer }) => kind === "cross" && layer === record.alignment_layer);
  return { kind, layer: (best ?? layers.at(-1)).layer, head: null, words: true };
}

/** Of a state that came from outside, what makes sense here. */
export function knownState(begin, kinds) {
  const found = {};
  if (kinds.includes(begin.kind)) found.kind = begin.kind;
  if (Number.isInteger(begin.layer) && begin.layer > 0) found.layer = begin.layer;
  if (begin.head === null || (Number.isInteger(begin.head) && begin.head >= 0)) found.head = begin.head;
  if (typeof begin.words === "boolean") found.words = begin.words;
  return found;
}

/** The place of a step that came from outside among the pieces that there are. */
export function knownStep(step, pieces) {
  return Math.max(0, Math.min(Number.isInteger(step) ? step : 0, pieces.length - 1));
}
