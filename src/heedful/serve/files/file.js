// A file to translate, and the link to what became of it. Text is always text: nothing here reads HTML.

import { ask } from "./see/ask.js";
import { element, fill } from "./see/dom.js";

/** To choose a file with one of these endings; `wishes` tells the languages, and the key. */
export function fileBox(endings, wishes) {
  const chosen = element("input", { id: "file", type: "file", accept: endings.join(), onchange: () => tell("") });
  const button = element("button", { id: "translate-file" }, "Translate file");
  const outcome = element("p", { class: "message", id: "file-outcome", role: "status" });

  function tell(what, isError = false) {
    outcome.classList.toggle("error", isError);
    fill(outcome, what);
  }

  async function translate(event) {
    event.preventDefault();
    const [file] = chosen.files;
    if (!file) return tell("Choose a file first.", true);
    const wanted = wishes();
    button.disabled = true;
    tell(element("span", { class: "working" }, `Translating ${file.name} …`));
    try {
      const { translatedFileUrl } = await ask("translate_file", asForm({ ...wanted, file }));
      const link = { href: below(translatedFileUrl), download: nameOf(file, wanted.target) };
      tell(element("a", link, `Download the translation of ${file.name}`));
    } catch (error) {
      tell(error.message, true);
    } finally {
      button.disabled = false;
    }
  }

  return element("form", { class: "file", onsubmit: translate },
    element("label", { for: "file" }, element("span", {}, `File (${endings.join(" ")})`)), chosen, button, outcome);
}

function asForm(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** letter.docx becomes letter.de.docx; what is called txt has no other name than its ending. */
function nameOf({ name }, language) {
  const end = name.lastIndexOf(".");
  if (end < 0) return `${language}.${name}`;
  return `${name.slice(0, end)}.${language}${name.slice(end)}`;
}

/** The same file, found from this page: it may have another address than the server knows. */
function below(address) {
  return `download_file/${address.slice(address.lastIndexOf("/") + 1)}`;
}
