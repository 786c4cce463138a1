"""Writes docs/settings.md from the settings' own sentences: python docs/generate_settings.py."""

from __future__ import annotations

from pathlib import Path

from heedful.models.config import KINDS, USUAL_KIND
from heedful.recipe import Recipe
from heedful.settings import Settings

INTRODUCTION = """# Every setting

A recipe is a TOML file with these sections; `--set section.setting=value` changes one. What is left
out is worked out from the data, the machine and the budget, and written to the run's `recipe.toml`.
This page is made from the code by `docs/generate_settings.py`.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for section, field in Recipe.model_fields.items():
        if section == "model":
            parts += [
                _table(f'[model] kind = "{kind}"', config, config())
                for kind, config in sorted(KINDS.items(), key=lambda item: item[0] != USUAL_KIND)
            ]
        else:
            parts.append(_table(f"[{section}]", type(field.default), field.default))
    return "\n\n".join(parts) + "\n"


def _table(title: str, config: type[Settings], defaults: Settings) -> str:
    rows = [
        f"| `{name}` | {_shown(getattr(defaults, name))} | {_sentence(config, name)} |"
        for name in config.model_fields
    ]
    return "\n".join([f"## {title}", "", "| setting | default | |", "|---|---|---|", *rows])


def _shown(value: object) -> str:
    return (
        "chosen"
        if value is None
        else f"`{value}`".replace("True", "true").replace("False", "false")
    )


def _sentence(config: type[Settings], name: str) -> str:
    """A setting's own, or that of the config whose setting it is another default of."""
    fields = [c.model_fields.get(name) for c in config.__mro__ if issubclass(c, Settings)]
    text = next((field.description for field in fields if field and field.description), None)
    assert text, f"every setting has a sentence, and {config.__name__}.{name} has none"
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    Path(__file__).with_name("settings.md").write_text(page(), encoding="utf-8")
