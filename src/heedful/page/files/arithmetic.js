// Attention's own arithmetic, from queries, keys and values.

/** One query's way: {divided, masked, shares, weights, context}. `allowed[j]` says where it may
 * look; without a mask it looks everywhere. `factor`, if there is one, is what a model multiplies
 * the outcome of the softmax by. */
export function walkOf({ products, values, divisor, temperature, allowed, factor = null }) {
  const divided = products.map((product) => product / divisor);
  const masked = divided.map((score, j) => (allowed && !allowed[j] ? -Infinity : score));
  const shares = softmax(masked.map((score) => score / temperature));
  const weights = factor ? shares.map((share, j) => share * factor[j]) : shares;
  const context = values[0].map((_, n) =>
    weights.reduce((sum, weight, j) => sum + weight * values[j][n], 0),
  );
  return { divided, masked, shares, weights, context };
}

export function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** q · k for each key; what was recorded instead, if the model scores in another way. */
export function productsOf(query, keys, recorded) {
  const products = keys.map((key) => key.reduce((sum, value, n) => sum + value * query[n], 0));
  const most = Math.max(1, ...recorded.map(Math.abs));
  const same = products.every((product, j) => Math.abs(product - recorded[j]) < 1e-3 * most);
  return same ? products : recorded;
}

/** {shape: [n, d], data} -> n lists of d numbers. */
export function listed(array) {
  return Array.from({ length: array.shape[0] }, (_, n) => rowAt(array, n));
}

/** The n-th list of the last axis. */
export function rowAt({ shape, data }, n) {
  const width = shape.at(-1);
  return Array.from(data.subarray(n * width, (n + 1) * width));
}
