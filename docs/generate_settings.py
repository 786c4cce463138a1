"""Writes docs/settings.md from the settings' own sentences: python docs/generate_settings.py."""

from __future__ import annotations

from pathlib import Path

from heedful.recipe import Recipe

INTRODUCTION = """# Every setting

A recipe is a TOML file with these sections; `--set section.setting=value` changes one. What is left
out is worked out from the data, the machine and the budget, and written to the run's `recipe.toml`.
This page is made from the code by `docs/generate_settings.py`.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for section, field in Recipe.model_fields.items():
        defaults = field.default
        rows = [
            f"| `{name}` | {_shown(getattr(defaults, name))} | {_sentence(setting.description)} |"
            for name, setting in type(defaults).model_fields.items()
        ]
        parts.append(
            "\n".join([f"## [{section}]", "", "| setting | default | |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts) + "\n"


def _shown(value: object) -> str:
    return (
        "chosen"
        if value is None
        else f"`{value}`".replace("True", "true").replace("False", "false")
    )


def _sentence(text: str | None) -> str:
    assert text, "every setting has a sentence"
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    Path(__file__).with_name("settings.md").write_text(page(), encoding="utf-8")
