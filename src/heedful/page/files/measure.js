// How wide words are, before they are drawn.

const FONT = "15px system-ui, sans-serif";
let pen = null;

/** In pixels, of the widest of some words. */
export function widest(words) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return Math.max(8, ...words.map((word) => pen.measureText(word).width));
}
