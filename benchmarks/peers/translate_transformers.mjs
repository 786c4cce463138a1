// Translates lines with an exported folder by transformers.js: JSON in, JSON out.
//
//     node translate_transformers.mjs FOLDER AT_ONCE < lines.json > translations.json
//
// Run where @huggingface/transformers is installed: its name is looked for from the current folder.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const here = createRequire(join(process.cwd(), "package.json"));
const { env, pipeline } = here("@huggingface/transformers");

const folder = process.argv[2];
const atOnce = Number(process.argv[3]);
env.allowRemoteModels = false;
env.localModelPath = dirname(folder);

const translate = await pipeline("translation", basename(folder));
// Else its pipeline has a limit of its own; the start mark is not new.
const { max_length } = JSON.parse(readFileSync(join(folder, "generation_config.json"), "utf8"));
const settings = { num_beams: 1, max_new_tokens: max_length - 1 };
const lines = JSON.parse(readFileSync(0, "utf8"));
const found = [];
for (let at = 0; at < lines.length; at += atOnce) {
  const answers = await translate(lines.slice(at, at + atOnce), settings);
  found.push(...answers.map((answer) => answer.translation_text));
}
process.stdout.write(JSON.stringify(found));
