// The address of the page holds the view: a link restores it.

import { LANGUAGES } from "./labels.js";

export const THEMES = ["system", "light", "dark"];

/** {sentence, language, theme, states}, with what makes no sense left out; {} if there is nothing. */
export function readPlace() {
  try {
    const place = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return {
      sentence: typeof place.sentence === "string" ? place.sentence : "",
      language: place.language in LANGUAGES ? place.language : undefined,
      theme: THEMES.includes(place.theme) ? place.theme : undefined,
      states: Array.isArray(place.states) ? place.states : [],
    };
  } catch {
    return {};
  }
}

export function writePlace(place) {
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(place))}`);
}
