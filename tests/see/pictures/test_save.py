from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from heedful.errors import InputError
from heedful.see.pictures.save import check_format, save

from ..samples import png_size


def _figure() -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.text(0.1, 0.5, "word")
    return figure


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.SVG", b"<?xml"),
                                             ("a.pdf", b"%PDF")])  # fmt: skip
def test_the_ending_is_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    path = save(_figure(), tmp_path / "new folder" / name)
    assert path.read_bytes().startswith(start)
    assert [p.name for p in path.parent.iterdir()] == [name]


def test_the_same_figure_gives_the_same_file(tmp_path: Path) -> None:
    for ending in ("png", "svg", "pdf"):
        first, second = (save(_figure(), tmp_path / f"{n}.{ending}") for n in "ab")
        assert first.read_bytes() == second.read_bytes()


def test_other_endings_are_refused() -> None:
    for name in ("picture.gif", "picture"):
        with pytest.raises(InputError, match="wanted one of png, svg, pdf"):
            check_format(name)


def test_a_failure_leaves_the_old_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(_figure(), tmp_path / "a.png")
    before = path.read_bytes()

    def half(self: Figure, where: Path, **_: object) -> None:
        where.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(Figure, "savefig", half)
    with pytest.raises(InputError, match="disk full"):
        save(_figure(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    png_size(path)
