// A box to translate in. Text is always text: nothing here reads HTML.

import { ask } from "./see/ask.js";
import { element, fill } from "./see/dom.js";
import { fileBox } from "./file.js";

const PAUSE = 400; // milliseconds after the last key
const SOON = 300; // milliseconds in which an answer needs no word that it will come
const ALTERNATIVES = 2;

function select(id, label, options, chosen, onchange) {
  return element("label", {}, element("span", {}, label),
    element("select", { id, onchange }, ...options.map(([value, text]) =>
      element("option", { value, selected: value === chosen }, text))));
}

function count(number) {
  return number.toLocaleString("en");
}

async function start() {
  const [languages, settings] = await Promise.all([ask("languages"), ask("frontend/settings")]);
  const names = new Map(languages.map((language) => [language.code, language.name]));
  const chosen = { source: settings.language.source.code, target: settings.language.target.code };
  let asked = 0;
  let pause = null;
  let soon = null;

  const input = element("textarea", {
    id: "text", dir: "auto", "aria-label": "Text to translate", "aria-describedby": "amount",
    oninput: () => {
      asked += 1; // whatever is under way is about another text
      wait(false);
      tellAmount();
      clearTimeout(pause);
      pause = setTimeout(translate, PAUSE);
      outcome.classList.add("is-old");
    },
  });
  const outcome = element("div", {
    class: "outcome", id: "translation", role: "status", "aria-live": "polite", dir: "auto", "aria-label": "Translation",
  });
  const amount = element("p", { class: "note", id: "amount" });
  const working = element("p", { class: "note working", id: "working", role: "status" });
  const others = element("ul", { class: "alternatives", "aria-label": "Alternatives" });
  const detected = element("span", { class: "note" });
  const message = element("p", { class: "message error", role: "alert" });
  const key = element("input", { id: "key", type: "password", autocomplete: "off", onchange: translate });
  const choices = element("div", { class: "controls" });
  const file = fileBox(settings.supportedFilesFormat, () => ({ ...chosen, api_key: key.value }));

  function sources() {
    const able = languages.filter((language) => language.targets.length);
    return [["auto", "Detect language"], ...able.map((language) => [language.code, language.name])];
  }

  function targets() {
    const of = chosen.source === "auto"
      ? languages.flatMap((language) => language.targets)
      : languages.find((language) => language.code === chosen.source).targets;
    return [...new Set(of)].map((code) => [code, names.get(code) ?? code]);
  }

  function canSwap() {
    return languages.some(({ code, targets }) => code === chosen.target && targets.includes(chosen.source));
  }

  function drawChoices() {
    const possible = targets();
    if (!possible.some(([code]) => code === chosen.target)) chosen.target = possible[0][0];
    fill(choices,
      select("source", "From", sources(), chosen.source, (event) => choose("source", event.target)),
      element("button", {
        id: "swap", type: "button", title: "Swap languages", "aria-label": "Swap languages",
        disabled: !canSwap(), onclick: swap,
      }, "⇄"),
      select("target", "To", possible, chosen.target, (event) => choose("target", event.target)),
      detected);
  }

  function choose(side, { value, id }) {
    chosen[side] = value;
    fill(detected);
    drawChoices();
    document.getElementById(id).focus();
    translate();
  }

  /** What was translated becomes what is to be translated; if it is of another text, that text stays. */
  function swap() {
    [chosen.source, chosen.target] = [chosen.target, chosen.source];
    if (!outcome.classList.contains("is-old")) input.value = outcome.textContent || input.value;
    drawChoices();
    document.getElementById("swap").focus();
    translate();
  }

  /** As the server counts them. */
  function characters() {
    return [...input.value].length;
  }

  /** How much there is, and whether that is too much: nothing is cut off. */
  function tellAmount() {
    fill(amount, `${count(characters())} of ${count(settings.charLimit)} characters`);
    amount.classList.toggle("error", characters() > settings.charLimit);
  }

  function tellTooMuch() {
    const instead = settings.filesTranslation ? "shorten it, or translate it as a file" : "shorten it";
    fill(message, `The text exceeds ${count(settings.charLimit)} characters: ${instead}.`);
  }

  function wait(isWaiting) {
    clearTimeout(soon);
    fill(working);
    if (isWaiting) soon = setTimeout(() => fill(working, "Translating …"), SOON);
  }

  /** The answer that was asked for last is the one that is shown. */
  async function translate() {
    const mine = ++asked;
    fill(message);
    tellAmount();
    outcome.classList.add("is-old");
    wait(false);
    if (!input.value.trim()) return void fill(outcome), fill(others), fill(detected);
    if (characters() > settings.charLimit) return tellTooMuch();
    wait(true);
    try {
      const answer = await ask("translate", {
        q: input.value, ...chosen, alternatives: ALTERNATIVES, api_key: key.value,
      });
      if (mine === asked) show(answer);
    } catch (error) {
      if (mine === asked) fill(message, error.message);
    } finally {
      if (mine === asked) wait(false);
    }
  }

  function show(answer) {
    fill(outcome, answer.translatedText);
    outcome.classList.remove("is-old");
    fill(others, ...answer.alternatives.map((text) => element("li", { dir: "auto" }, text)));
    const guess = answer.detectedLanguage;
    fill(detected, guess ? `${names.get(guess.language)} (${Math.round(guess.confidence)} %)` : "");
  }

  drawChoices();
  tellAmount();
  fill(document.body,
    element("header", {}, element("h1", {}, "heedful"), choices,
      settings.apiKeys && element("label", {}, element("span", {}, "API key"), key)),
    message,
    element("main", {},
      element("div", { class: "box" },
        element("div", {}, input, amount), element("div", {}, outcome, working, others)),
      settings.filesTranslation && file),
    element("footer", {},
      element("a", { href: "see/" }, "See where the model looks"), " · ",
      element("a", { href: "docs" }, "The API")));
  input.focus();
}

start().catch((error) => fill(document.body,
  element("p", { class: "message error", role: "alert" }, `This page cannot be shown: ${error.message}`)));
