// The translation as it was written, piece by piece, with what might have come instead.

import { element, fill } from "./dom.js";
import { shownPiece } from "./record.js";

const PACE = 700; // milliseconds a step

/** The panel; `onFork(ids)` asks for a translation that begins with these, and is null where none
 * can be made; `onStep(index)` is told where the reader is. */
export function drawDecoding(record, { say, begin = 0, onFork, onStep }) {
  const { predictions, target_pieces: pieces } = record;
  let step = Math.max(0, Math.min(begin, pieces.length - 1));
  let timer = null;
  const about = { dir: "auto", lang: record.languages?.[1] || null };
  const written = element("p", { class: "written", ...about });
  const told = element("p", { class: "told-piece", "aria-live": "polite", ...about });
  const choices = element("div", { class: "choices" });
  const play = element("button", { type: "button", class: "play", onclick: toggle }, say("play"));
  const buttons = element("div", { class: "controls" },
    element("button", { type: "button", class: "back", onclick: () => go(step - 1) }, say("back")),
    play,
    element("button", { type: "button", class: "forward", onclick: () => go(step + 1) }, say("forward")),
  );

  function toggle() {
    if (timer) stop();
    else {
      if (step >= pieces.length - 1) go(0);
      timer = setInterval(() => (step < pieces.length - 1 ? go(step + 1, true) : stop()), PACE);
      fill(play, say("pause"));
    }
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    fill(play, say("play"));
  }

  function go(place, isPlaying = false) {
    if (!isPlaying) stop();
    step = Math.max(0, Math.min(place, pieces.length - 1));
    show();
    fill(told, shownPiece(pieces[step]));
    onStep?.(step);
  }

  function show() {
    fill(written, ...pieces.map((piece, i) =>
      element("span", {
        class: i < step ? "done" : i === step ? "now" : "later",
        "aria-current": i === step ? "step" : null,
      }, `${piece.startsWith("▁") && i ? " " : ""}${piece === "▁" ? "" : shownPiece(piece)}`)));
    fill(choices,
      element("p", {}, say(onFork ? "likeliest" : "forkOffline")),
      element("ol", {}, ...(predictions[step] ?? []).map((candidate) => choice(candidate))));
  }

  function choice({ piece, id, probability }) {
    const told = `${shownPiece(piece)} ${(100 * probability).toFixed(1)} %`;
    const bar = element("meter", { min: 0, max: 1, value: probability, "aria-hidden": "true" }, told);
    const isWritten = piece === pieces[step];
    const words = [element("span", { class: "piece" }, shownPiece(piece)), bar,
      element("span", { class: "chance" }, `${(100 * probability).toFixed(1)} %`)];
    const isEnd = piece === "</s>";
    if (!onFork || isWritten || isEnd) {
      return element("li", { class: isWritten ? "written-one" : "" }, ...words);
    }
    return element("li", {}, element("button", {
      type: "button", "aria-label": told, onclick: () => onFork([...record.target_ids.slice(0, step), id]),
    }, ...words));
  }

  show();
  return { node: element("div", { class: "decoding" }, buttons, written, told, choices), stop };
}
