// The top of the page: its choices, and the sentence that is asked for.

import { element } from "./dom.js";
import { LANGUAGES } from "./labels.js";
import { THEMES } from "./place.js";

/** The title, and what is chosen for the whole page. */
export function drawHeader({ language, theme }, { say, onLanguage, onTheme, onLink }) {
  const themes = THEMES.map((name) => [name, say(name)]);
  return element("header", {},
    element("h1", {}, say("title")),
    choice("language", say("languages"), Object.entries(LANGUAGES), language, onLanguage),
    choice("theme", say("theme"), themes, theme, onTheme),
    element("button", { type: "button", class: "quiet link", onclick: onLink }, say("link")));
}

/** A field for any sentence; `onType` is told each letter, `onAsk` what is asked for. */
export function drawForm(text, { say, onType, onAsk }) {
  const input = element("input", {
    id: "sentence", name: "sentence", value: text, autocomplete: "off", dir: "auto",
    spellcheck: "false", oninput: () => onType(input.value),
  });
  const submit = (event) => {
    event.preventDefault();
    onAsk(input.value);
  };
  return element("form", { class: "ask", onsubmit: submit },
    element("label", { for: "sentence" }, say("sentence")), input,
    element("button", { type: "submit" }, say("translate")));
}

/** A field for the key of a server that wants one; `onKey` is told it. */
export function drawKey(message, { say, onKey }) {
  const input = element("input", { id: "key", type: "password", autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    onKey(input.value.trim());
  };
  return element("form", { class: "ask", onsubmit: submit },
    element("label", { for: "key" }, say("key")), input,
    element("button", { type: "submit" }, say("enter")),
    element("p", { class: "message", role: "alert" }, message));
}

/** The sentences of a saved page, which has no others. */
export function drawSentences(sentences, chosen, { say, onAsk }) {
  const options = sentences.map((text, n) => [n, text]);
  return element("form", { class: "ask" }, element("p", { class: "note" }, say("offline")),
    choice("sentences", say("recordedSentences"), options, Math.max(0, sentences.indexOf(chosen)),
      (value) => onAsk(sentences[Number(value)])));
}

function choice(id, name, options, chosen, onChoose) {
  return element("label", { class: "chooser" }, element("span", {}, name),
    element("select", { id, onchange: (event) => onChoose(event.target.value) },
      ...options.map(([value, text]) =>
        element("option", { value, selected: String(value) === String(chosen) }, text))));
}
