// Okabe and Ito's colours, which colour-blind readers tell apart, and eight more as far from each
// other; the same as in the pictures.

const HEADS = [
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#6B6B6B",
  "#500BA8", "#304504", "#14C711", "#A103B3", "#177114", "#904605", "#827A03", "#21405B",
];
const IN_THE_DARK = [
  "#4FA8DC", "#FF8A4C", "#2BC79A", "#E3A2C4", "#F2B92D", "#8ED2F7", "#D0568F", "#ABABAB",
  "#8B60F3", "#618A02", "#79F971", "#E372F3", "#C9FBC4", "#AE734F", "#AAA23F", "#0E7FCD",
];

/** Of the n-th head, from 0. */
export function headColour(n) {
  return (isDark() ? IN_THE_DARK : HEADS)[n % HEADS.length];
}

/** The shade of a weight from 0 to 1 as [red, green, blue]: from the paper's colour to a deep blue, in
 * even steps, as in the pictures. */
export function shade(weight, isDark) {
  const share = Math.max(0, Math.min(1, weight));
  const [from, to] = isDark
    ? [[24, 28, 34], [122, 190, 255]]
    : [[255, 255, 255], [8, 64, 129]];
  return from.map((start, n) => Math.round(start + share * (to[n] - start)));
}

/** Of a number from -1 to 1: orange below nothing, blue above. */
export function signedShade(value, isDark) {
  if (value >= 0) return shade(value, isDark);
  const [red, green, blue] = shade(-value, isDark);
  return [blue, Math.round((green + red) / 2), red];
}

let host = null; // whether that is dark, if the view is a part of another page

/** The page around decides. */
export function followHost(isItDark) {
  host = isItDark;
}

/** Whether the page is dark now, by its host, by choice or by the system. */
export function isDark() {
  if (host !== null) return host;
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "dark" || chosen === "light") return chosen === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
