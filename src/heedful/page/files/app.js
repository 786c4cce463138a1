// The page: a sentence, some models, and a view of each.

import { reasonOf } from "./ask.js";
import { element, fill } from "./dom.js";
import { drawForm, drawHeader, drawSentences } from "./form.js";
import { speak, usualLanguage } from "./labels.js";
import { readPlace, writePlace } from "./place.js";
import { View } from "./view.js";

/** `source` answers what the page asks: see server.js and saved.js. */
export async function startPage(source) {
  const page = new Page(source, await source.models());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.redraw());
  addEventListener("hashchange", () => page.goTo(readPlace()));
  page.draw();
  if (page.sentence) await page.look();
}

class Page {
  constructor(source, models) {
    const { sentence = "", language = usualLanguage(), theme = "system", states = [] } = readPlace();
    const isThere = !source.sentences || source.sentences.includes(sentence);
    Object.assign(this, { source, models, language, theme, states });
    this.sentence = isThere ? sentence : source.sentences[0];
    this.typed = null; // but not yet asked for
    this.records = [];
    this.views = [];
    this.prefixes = [];
    this.asked = 0; // how often, so that late answers are known
    this.forks = []; // how often each model was
    this.results = element("main", { id: "results" });
    this.message = element("p", { class: "message", role: "status" });
  }

  say(name) {
    return speak(this.language)(name);
  }

  draw() {
    document.documentElement.lang = this.language;
    document.title = `heedful: ${this.say("title")}`;
    fill(document.body, this.header(), this.form(), this.message, this.results);
    this.setTheme(this.theme);
  }

  header() {
    return drawHeader(this, {
      say: speak(this.language),
      onLanguage: (language) => this.setLanguage(language),
      onTheme: (theme) => {
        this.setTheme(theme);
        this.redraw();
        this.remember();
      },
      onLink: (event) => this.copyLink(event.currentTarget),
    });
  }

  form() {
    const say = speak(this.language);
    const onAsk = (sentence) => {
      this.sentence = sentence;
      this.look();
    };
    if (this.source.sentences) return drawSentences(this.source.sentences, this.sentence, { say, onAsk });
    return drawForm(this.typed ?? this.sentence, {
      say, onAsk, onType: (text) => { this.typed = text; },
    });
  }

  setLanguage(language) {
    this.language = language;
    this.draw();
    this.showRecords();
    document.getElementById("language").focus();
  }

  setTheme(theme) {
    this.theme = theme;
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }

  redraw() {
    for (const view of this.views) view.redraw();
  }

  /** Where another link leads, in the same tab. */
  goTo({ sentence, states, language = this.language, theme = this.theme }) {
    if (sentence === undefined) return;
    this.stopViews();
    Object.assign(this, { sentence, states, language, theme, views: [] });
    this.draw();
    this.look();
  }

  /** Asks every model for the sentence, and shows what comes. */
  async look() {
    if (!this.sentence.trim()) return void fill(this.message, this.say("empty"));
    const mine = ++this.asked;
    this.typed = null;
    if (this.views.length) this.states = this.views.map((view) => ({ ...view.state(), step: 0 }));
    fill(this.message, this.say("working"));
    const prefixes = this.models.map((_, n) => idsOf(this.states[n]?.prefix));
    const records = await Promise.all(this.models.map((_, n) =>
      this.ask(n, { source: this.sentence, prefix: prefixes[n] })));
    if (mine !== this.asked) return;
    this.stopViews();
    Object.assign(this, { records, prefixes, views: [] });
    fill(this.message);
    this.showRecords();
  }

  /** A record, or {error}: one model that cannot do it does not take the others down. */
  async ask(n, what) {
    try {
      return await this.source.attend({ model: n, ...what });
    } catch (error) {
      return { error: reasonOf(error, speak(this.language)) };
    }
  }

  /** Goes on from a prefix; what was there stays if that fails. */
  async fork(n, sentence, prefix) {
    const sentenceThen = this.asked;
    const mine = (this.forks[n] = (this.forks[n] ?? 0) + 1);
    fill(this.message, this.say("working"));
    const found = await this.ask(n, { source: sentence, prefix });
    if (sentenceThen !== this.asked || mine !== this.forks[n]) return;
    fill(this.message, found.error ? `${this.say("failed")}: ${found.error}` : "");
    if (found.error) return;
    this.records[n] = found;
    this.prefixes[n] = prefix;
    this.showRecords();
    this.results.children[n]?.querySelector(".forward")?.focus();
  }

  showRecords() {
    if (this.views.length) this.states = this.statesNow();
    this.stopViews();
    this.views = this.records.map((record, n) =>
      (record.error ? failure(record.error, this.states[n], this.say("failed")) : this.viewOf(record, n)));
    fill(this.results, ...this.views.map((view, n) => named(this.models[n].name, view.node)));
    this.remember();
  }

  viewOf(record, n) {
    const { source, models } = this;
    const about = { model: n, source: record.source, target: record.target_ids };
    return new View(record, {
      say: speak(this.language),
      begin: this.states[n] ?? {},
      loadHead: source.head && ((kind, layer, head) => source.head({ ...about, kind, layer, head })),
      nForced: this.prefixes[n]?.length,
      onFork: source.sentences ? null : (prefix) => { this.fork(n, record.source, prefix); },
      positions: models[n].positions,
      onChange: () => this.remember(),
    });
  }

  stopViews() {
    for (const view of this.views) view.stop();
  }

  statesNow() {
    return this.views.map((view, n) => ({ ...view.state(), prefix: this.prefixes[n] }));
  }

  remember() {
    const { sentence, language, theme } = this;
    writePlace({ sentence, language, theme, states: this.statesNow() });
  }

  async copyLink(button) {
    this.remember();
    try {
      await navigator.clipboard.writeText(location.href);
      fill(button, this.say("copied"));
    } catch {
      prompt("", location.href);
    }
  }
}

/** What came from outside as a list of ids. */
function idsOf(prefix) {
  return Array.isArray(prefix) ? prefix.filter(Number.isInteger) : [];
}

/** In place of a view: why there is none. */
function failure(error, state, failed) {
  const node = element("section", { class: "view" },
    element("p", { class: "message", role: "alert" }, `${failed}: ${error}`));
  return { node, state: () => state ?? {}, stop() {}, redraw() {} };
}

function named(name, node) {
  node.setAttribute("aria-label", name);
  node.prepend(element("h2", {}, name));
  return node;
}
