"""What the page asks of one model, answered. Questions and answers are JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from heedful.errors import InputError
from heedful.see.recording.attention import Kind
from heedful.see.recording.record_json import as_data
from heedful.text.special import EOS, FIRST_WORD

if TYPE_CHECKING:
    from heedful.see.recording.attend import Head
    from heedful.translator import Translator


def attend(translator: Translator, question: dict[str, Any]) -> dict[str, Any]:
    """A record of {source, prefix}."""
    prefix = _ids(question.get("prefix", []), translator)
    if len(prefix) > translator.card.max_length:
        raise InputError(f"{len(prefix)} pieces: at most {translator.card.max_length} are wanted")
    return as_data(translator.attend(_text(question), prefix=prefix))


def head(translator: Translator, question: dict[str, Any]) -> dict[str, Any]:
    """The queries, keys and values of {source, target, kind, layer, head}."""
    kind: Any = question.get("kind")
    layer, head = question.get("layer"), question.get("head")
    if kind not in get_args(Kind) or type(layer) is not int or type(head) is not int:
        raise InputError("kind, layer and head are wanted")
    wanted: Head = (kind, layer, head)
    target = _ids(question.get("target", []), translator, also=EOS)
    record = translator.attend(_text(question), target, vectors=[wanted])
    data = as_data(record)["attentions"]
    (of_layer,) = [a for a in data if (a["kind"], a["layer"]) == wanted[:2]]
    if of_layer["working"] is None:
        raise InputError(f"{kind} has no queries, keys and values")
    found: dict[str, Any] = of_layer["working"]["vectors"][str(wanted[2])]
    return found


def _text(question: dict[str, Any]) -> str:
    source = question.get("source")
    if not isinstance(source, str) or not source.strip():
        raise InputError("the sentence is empty")
    return source


def _ids(ids: Any, translator: Translator, also: int | None = None) -> list[int]:
    words = range(FIRST_WORD, len(translator.target_tokenizer.vocabulary))
    if not isinstance(ids, list) or not all(
        type(i) is int and (i in words or i == also) for i in ids
    ):
        raise InputError("a list of the vocabulary's ids is wanted")
    return ids
