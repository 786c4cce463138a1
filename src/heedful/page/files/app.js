// The page: a sentence, some models, and a view of each.

import { element, fill } from "./dom.js";
import { LANGUAGES, speak, usualLanguage } from "./labels.js";
import { createView } from "./view.js";

/** `source` answers what the page asks: see server.js and saved.js. */
export async function startPage(source) {
  const place = readPlace();
  const page = {
    language: place.language ?? usualLanguage(),
    theme: place.theme ?? "system",
    sentence: place.sentence ?? "",
    views: [],
    prefixes: [],
    states: place.states ?? [],
  };
  const models = await source.models();
  const body = document.body;
  const results = element("main", { id: "results" });
  const message = element("p", { class: "message", role: "status" });

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const view of page.views) view.redraw();
  });
  addEventListener("hashchange", () => {
    const place = readPlace();
    if (place.sentence === undefined) return;
    Object.assign(page, { ...place, language: place.language ?? page.language, theme: place.theme ?? page.theme });
    page.views = [];
    draw();
    look();
  });

  function draw() {
    const say = speak(page.language);
    document.documentElement.lang = page.language;
    document.title = `heedful: ${say("title")}`;
    fill(body, header(say), form(say), message, results);
    setTheme();
  }

  function header(say) {
    return element("header", {},
      element("h1", {}, say("title")),
      choice(say("languages"), Object.entries(LANGUAGES), page.language, (value) => {
        page.language = value;
        draw();
        showRecords();
        document.getElementById("language").focus();
      }, "language"),
      choice(say("theme"), ["system", "light", "dark"].map((name) => [name, say(name)]), page.theme,
        (value) => {
          page.theme = value;
          setTheme();
          for (const view of page.views) view.redraw();
          remember();
        }, "theme"),
      element("button", { type: "button", class: "quiet link", onclick: copyLink }, say("link")));
  }

  function form(say) {
    if (source.sentences) {
      return element("form", { class: "ask" }, element("p", { class: "note" }, say("offline")),
        choice(say("recordedSentences"), source.sentences.map((text, n) => [n, text]),
          Math.max(0, source.sentences.indexOf(page.sentence)), (value) => {
            page.sentence = source.sentences[Number(value)];
            look();
          }, "sentences"));
    }
    const input = element("input", {
      id: "sentence", name: "sentence", value: page.typed ?? page.sentence, autocomplete: "off",
      dir: "auto", spellcheck: "false", oninput: () => { page.typed = input.value; },
    });
    return element("form", {
      class: "ask",
      onsubmit: (event) => {
        event.preventDefault();
        page.sentence = input.value;
        look();
      },
    }, element("label", { for: "sentence" }, say("sentence")), input,
      element("button", { type: "submit" }, say("translate")));
  }

  function setTheme() {
    if (page.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = page.theme;
  }

  let asked = 0;
  const forks = []; // how often each model was

  /** Asks every model for the sentence, and shows what comes. */
  async function look() {
    const say = speak(page.language);
    if (!page.sentence.trim()) return void fill(message, say("empty"));
    const mine = ++asked;
    page.typed = null;
    if (page.views.length) page.states = page.views.map((view) => ({ ...view.state(), step: 0 }));
    fill(message, say("working"));
    const prefixes = models.map((_, n) => idsOf(page.states[n]?.prefix));
    const records = await Promise.all(models.map((_, n) =>
      ask(n, { source: page.sentence, prefix: prefixes[n] })));
    if (mine !== asked) return;
    for (const view of page.views) view.stop();
    Object.assign(page, { records, prefixes, views: [] });
    fill(message);
    showRecords();
  }

  /** A record, or {error}: one model that cannot do it does not take the others down. */
  async function ask(n, what) {
    try {
      return await source.attend({ model: n, ...what });
    } catch (error) {
      return { error: error.message };
    }
  }

  function showRecords() {
    const say = speak(page.language);
    if (page.views.length) {
      page.states = page.views.map((view, n) => ({ ...view.state(), prefix: page.prefixes[n] }));
    }
    for (const view of page.views) view.stop();
    page.views = (page.records ?? []).map((record, n) =>
      record.error ? failure(record.error, page.states[n], say) : viewOf(record, n, say));
    fill(results, ...page.views.map((view, n) => named(models[n].name, view.node)));
    remember();
  }

  function viewOf(record, n, say) {
    return createView(record, {
      say,
      begin: page.states[n] ?? {},
      loadHead: source.head && ((kind, layer, head) =>
        source.head({ model: n, source: record.source, target: record.target_ids, kind, layer, head })),
      onFork: source.sentences ? null : (prefix) => {
        fork(n, record.source, prefix);
      },
      positions: models[n].positions,
      onChange: remember,
    });
  }

  /** Goes on from a prefix; what was there stays if that fails. */
  async function fork(n, sentence, prefix) {
    const sentenceThen = asked;
    const mine = (forks[n] = (forks[n] ?? 0) + 1);
    fill(message, speak(page.language)("working"));
    const found = await ask(n, { source: sentence, prefix });
    if (sentenceThen !== asked || mine !== forks[n]) return;
    fill(message, found.error ? `${speak(page.language)("failed")}: ${found.error}` : "");
    if (found.error) return;
    page.records[n] = found;
    page.prefixes[n] = prefix;
    showRecords();
    results.children[n]?.querySelector(".forward")?.focus();
  }

  function failure(error, state, say) {
    const node = element("section", { class: "view" },
      element("p", { class: "message", role: "alert" }, `${say("failed")}: ${error}`));
    return { node, state: () => state ?? {}, stop() {}, redraw() {} };
  }

  function named(name, node) {
    node.setAttribute("aria-label", name);
    node.prepend(element("h2", {}, name));
    return node;
  }

  /** The address holds the view: a link restores it. */
  function remember() {
    const states = page.views.map((view, n) => ({ ...view.state(), prefix: page.prefixes[n] }));
    const place = { sentence: page.sentence, language: page.language, theme: page.theme, states };
    history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(place))}`);
  }

  async function copyLink(event) {
    remember();
    const button = event.currentTarget;
    try {
      await navigator.clipboard.writeText(location.href);
      fill(button, speak(page.language)("copied"));
    } catch {
      prompt("", location.href);
    }
  }

  draw();
  if (source.sentences && !source.sentences.includes(page.sentence)) page.sentence = source.sentences[0];
  if (page.sentence) await look();
}

/** What came from outside as a list of ids. */
function idsOf(prefix) {
  return Array.isArray(prefix) ? prefix.filter(Number.isInteger) : [];
}

function readPlace() {
  try {
    const place = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return {
      sentence: typeof place.sentence === "string" ? place.sentence : "",
      language: place.language in LANGUAGES ? place.language : undefined,
      theme: ["system", "light", "dark"].includes(place.theme) ? place.theme : undefined,
      states: Array.isArray(place.states) ? place.states : [],
    };
  } catch {
    return {};
  }
}

function choice(name, options, chosen, onChoose, id) {
  return element("label", { class: "chooser" }, element("span", {}, name),
    element("select", { id, onchange: (event) => onChoose(event.target.value) },
      ...options.map(([value, text]) =>
        element("option", { value, selected: String(value) === String(chosen) }, text))));
}
