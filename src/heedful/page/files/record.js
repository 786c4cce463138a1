// What was recorded, with its arrays unpacked: the same numbers as in Python.

/** {shape, type, base64} -> {shape, data}, with the numbers in one row. */
export function unpackArray({ shape, type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return { shape, data: type === "bool" ? bytes : new Float32Array(bytes.buffer) };
}

/** A record as it came -> the same with arrays, and attentions that can be asked for rows. */
export function openRecord(plain) {
  return { ...plain, attentions: plain.attentions.map(openAttention) };
}

function openAttention(plain) {
  const weights = unpackArray(plain.weights);
  const working = plain.working && {
    ...plain.working,
    products: unpackArray(plain.working.products),
    mask: unpackArray(plain.working.mask),
    outcome: unpackArray(plain.working.outcome),
    joined: plain.working.joined && unpackArray(plain.working.joined),
    factor: plain.working.factor && unpackArray(plain.working.factor),
    vectors: Object.fromEntries(
      Object.entries(plain.working.vectors).map(([head, of]) => [head, openVectors(of)]),
    ),
  };
  return { ...plain, nHeads: weights.shape[0], weights: weights.data, working };
}

/** The queries, keys and values of a head. */
export function openVectors(plain) {
  return {
    queries: unpackArray(plain.queries),
    keys: unpackArray(plain.keys),
    values: unpackArray(plain.values),
  };
}

/** The weights of one head (from 0), row by row: one for each query. */
export function rowsOf(attention, head) {
  const nQueries = attention.queries.length;
  const nKeys = attention.keys.length;
  const start = head * nQueries * nKeys;
  return Array.from({ length: nQueries }, (_, i) =>
    attention.weights.subarray(start + i * nKeys, start + (i + 1) * nKeys),
  );
}

/** The mean of several heads, row by row. */
export function meanRows(attention, heads) {
  const rows = heads.map((head) => rowsOf(attention, head));
  return rows[0].map((_, i) => {
    const mean = new Float32Array(attention.keys.length);
    for (const of of rows) of[i].forEach((weight, j) => (mean[j] += weight / rows.length));
    return mean;
  });
}

const SPACE = "▁";
const MARKS = new Set(["<s>", "</s>", "<pad>"]);
const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;

function isAlone(piece) {
  return MARKS.has(piece) || WITHOUT_SPACES.test(piece);
}

/** Where among the pieces each word begins; a mark is a word of its own, and so is a piece of a
 * script without spaces. */
export function wordStarts(pieces) {
  const all = pieces.map((_, i) => i);
  if (!pieces.some((piece) => piece.startsWith(SPACE))) return all;
  return all.filter(
    (i) =>
      i === 0 || pieces[i].startsWith(SPACE) || isAlone(pieces[i]) || isAlone(pieces[i - 1]),
  );
}

/** The words that pieces make up. */
export function joinWords(pieces) {
  const starts = wordStarts(pieces);
  return starts.map((start, n) => joined(pieces.slice(start, starts[n + 1] ?? pieces.length)));
}

function joined(pieces) {
  const text = pieces.join("").replace(/(?:<0x[0-9A-F]{2}>)+/g, (bytes) => {
    const codes = bytes.match(/[0-9A-F]{2}(?=>)/g).map((digits) => parseInt(digits, 16));
    return new TextDecoder().decode(new Uint8Array(codes));
  });
  return text.replaceAll(SPACE, " ").trim() || pieces.join("");
}

/** An attention between words instead of pieces: a word looks as its pieces do on average, and is
 * looked at as much as all of them together, so that rows still sum to one. */
export function byWords(attention) {
  const from = groups(attention.queries);
  const to = groups(attention.keys);
  const weights = new Float32Array(attention.nHeads * from.length * to.length);
  for (let head = 0, place = 0; head < attention.nHeads; head++) {
    const rows = rowsOf(attention, head);
    for (const [a, b] of from) {
      for (const [c, d] of to) {
        let sum = 0;
        for (let i = a; i < b; i++) for (let j = c; j < d; j++) sum += rows[i][j];
        weights[place++] = sum / (b - a);
      }
    }
  }
  return {
    ...attention,
    weights,
    working: null,
    queries: joinWords(attention.queries),
    keys: joinWords(attention.keys),
  };
}

function groups(pieces) {
  const starts = wordStarts(pieces);
  return starts.map((start, n) => [start, starts[n + 1] ?? pieces.length]);
}

/** Bits of a head's rows, and how far it looks: means over its queries. */
export function headStatistics(attention, head) {
  let entropy = 0;
  let distance = 0;
  const rows = rowsOf(attention, head);
  rows.forEach((row, i) =>
    row.forEach((weight, j) => {
      if (weight > 0) entropy -= weight * Math.log2(weight);
      distance += weight * Math.abs(i - j);
    }),
  );
  return { entropy: entropy / rows.length, distance: distance / rows.length };
}

/** A piece as people read it: its space is shown as such. */
export function shownPiece(piece) {
  return piece.startsWith(SPACE) && piece.length > 1 ? piece.slice(1) : piece;
}
