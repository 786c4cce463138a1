// What the walk of one word tells, step by step. A model that puts more beside what it found goes six
// steps, which are counted, as in the picture of the same walk.

import { rowAt } from "./arithmetic.js";
import { isDark, shade } from "./colours.js";
import { element } from "./dom.js";
import { rowsOf, shownPiece } from "./record.js";

const SHOWN = 24; // numbers of a vector: of a joined one, half from each end

/** The steps that have a number for each key, as a table. `walked` is what `walkOf` gives, with the
 * products, head and query that it began with. */
export function tableOfSteps(attention, walked, { say }) {
  const { working, keys } = attention;
  const { isMaskOff } = walked;
  const counted = counter(working);
  const isMasked = !working.joined || walked.masked.includes(-Infinity);
  const score = working.joined ? `${say("scores")}: ${working.score}` : working.score;
  const rows = [
    [counted(1, score), walked.products, false],
    working.divisor > 1 && [say("divided"), walked.divided, false],
    isMasked && [say(isMaskOff ? "unmasked" : "masked"), walked.masked, false],
    [counted(2, say("softmax")), walked.shares, true],
    working.factor && [say("near"), walked.weights, true],
    [say("recorded"), Array.from(rowsOf(attention, walked.head)[walked.query]), true],
  ];
  return element("table", {},
    element("tr", {}, element("td"), ...keys.map((key) => element("th", { scope: "col" }, key))),
    ...rows.filter(Boolean).map(([name, numbers, areWeights]) => numberRow(name, numbers, areWeights)));
}

/** The steps after them: what was found, what the model made of it, and what it would write. Only
 * the first follows the sliders; the others are told as they were recorded. */
export function vectorsOfSteps({ working }, walked, candidates, { say }) {
  const counted = counter(working);
  const asRecorded = (name) => `${name} (${say("recorded")})`;
  const layer = working.made_by.replace(/ layer$/, ` ${say("layer").toLowerCase()}`);
  const made = first(rowAt(working.outcome, walked.query), say);
  const context = first(walked.context, say);
  const joined = working.joined && bothEnds(rowAt(working.joined, walked.query), say);
  return [
    line("context", counted(3, say(joined ? "attentionValue" : "contextRow")), context),
    joined && line("joined", counted(4, asRecorded(say("concatenation"))), joined),
    line("made", counted(5, asRecorded(layer)), made),
    candidates.length > 0 &&
      line("prediction", counted(6, asRecorded(say("prediction"))), [candidates.map(likely).join(", ")]),
  ];
}

/** Puts its number before a step, where steps are counted. */
function counter(working) {
  return (n, name) => (working.joined ? `${n} ${name}` : name);
}

function line(kind, name, content) {
  return element("p", { class: `numbers ${kind}` }, element("span", { class: "step" }, name),
    element("bdi", { class: "values" }, ...content));
}

function likely({ piece, probability }) {
  return `${shownPiece(piece)} ${(100 * probability).toFixed(1)} %`;
}

function first(vector, say) {
  return [...vector.slice(0, SHOWN).flatMap(written), ...left(vector.length - SHOWN, say)];
}

/** What was put together shows where it begins and where it ends. */
function bothEnds(vector, say) {
  if (vector.length <= SHOWN) return vector.flatMap(written);
  const half = SHOWN / 2;
  return [
    ...vector.slice(0, half).flatMap(written),
    ...left(vector.length - SHOWN, say), " … ",
    ...vector.slice(-half).flatMap(written),
  ];
}

/** How many more there are. */
function left(n, say) {
  return n > 0 ? [`… ${say("more").replace("#", n)}`] : [];
}

/** Each of the same width, so that they stand in columns. */
function written(number) {
  return [element("span", { class: "number" }, plainly(number)), " "];
}

function plainly(number) {
  if (number === -Infinity) return "−∞";
  const text = number.toFixed(2);
  return text === "-0.00" ? "0.00" : text;
}

function numberRow(name, numbers, areWeights) {
  const dark = isDark();
  const cells = numbers.map((number) => {
    const cell = element("td", {}, plainly(number));
    if (areWeights) {
      const [red, green, blue] = shade(number, dark);
      cell.style.background = `rgb(${red} ${green} ${blue})`;
      cell.style.color = (red + green + blue) / 3 > 140 ? "#111" : "#fff";
    }
    return cell;
  });
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
}
