// The page around a view that is only a part of it, as in a notebook: is it dark?

import { followHost } from "./colours.js";

/** Looks as the host does, whatever that calls its themes; `redraw()` is asked for when it changes.
 * Gives a function that ends it. */
export function wearTheme(node, redraw) {
  const check = () => {
    const theme = isDarkBehind(node) ? "dark" : "light";
    if (node.dataset.theme === theme) return;
    node.dataset.theme = theme;
    followHost(theme === "dark");
    redraw();
  };
  const observer = new MutationObserver(check);
  for (const part of [document.documentElement, document.body]) observer.observe(part, { attributes: true });
  check();
  requestAnimationFrame(check); // a notebook draws first, and puts it into its place then
  return () => observer.disconnect();
}

/** By the first colour behind it that can be seen; by the system's theme where there is none. */
function isDarkBehind(node) {
  for (let at = node.parentElement ?? document.body; at; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = getComputedStyle(at).backgroundColor.match(/[\d.]+/g).map(Number);
    if (alpha > 0.5) return (red + green + blue) / 3 < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
