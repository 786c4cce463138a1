"""Keys: told once, kept as hashes."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.serve.guard.keys import Keys, read_keys

from ...trained import Command, is_told_briefly, start


def test_a_key_is_made_found_and_taken_back(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "keys.json"
    secret = command("keys", "add", "anna", "--file", file, "--rate", 7).out.strip()
    other = command("keys", "add", "ben", "--file", file).out.strip()
    keys = read_keys(file)
    found = keys.find(secret)
    assert found is not None
    assert (found.name, found.rate) == ("anna", 7)
    assert keys.find(secret + "x") is None
    assert keys.find("") is None
    assert secret not in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert command("keys", "list", "--file", file).out == "anna\t7\nben\t6000\n"
    command("keys", "remove", "anna", "--file", file)
    assert read_keys(file).find(secret) is None
    assert read_keys(file).find(other) is not None


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "anna", "--file", "FILE"),  # a second of this name
        ("add", "ben", "--rate", "-1", "--file", "FILE"),
        ("remove", "ben", "--file", "FILE"),
        ("list", "--file", "MISSING"),
    ],
)
def test_what_is_wrong_is_told(
    arguments: tuple[str, ...], tmp_path: Path, command: Command
) -> None:
    file = tmp_path / "keys.json"
    command("keys", "add", "anna", "--file", file)
    places = {"FILE": file, "MISSING": tmp_path / "none.json"}
    assert is_told_briefly(command("keys", *(places.get(a, a) for a in arguments)))


@pytest.mark.parametrize(
    "content", ["{", "[" * 100_000, "{}x", '[{"name": "a"}]', "[3]", '{"a": 1}']
)
def test_a_damaged_file_is_told(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"keys\.json"):
        read_keys(file)


def test_an_empty_file_of_keys_lets_nobody_in() -> None:
    assert Keys([]).find("x") is None


DIGEST = "0" * 64


@pytest.mark.parametrize(
    "change", [{"digest": "é" * 64}, {"digest": "0"}, {"digest": DIGEST + "\n"}, {"rate": -1}]
)
def test_a_key_that_nobody_could_have(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "keys.json"
    good = {"name": "anna", "digest": DIGEST, "rate": 1}
    file.write_text(json.dumps([good]), encoding="utf-8")
    assert read_keys(file).find("x") is None
    file.write_text(json.dumps([good | change]), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be"):
        read_keys(file)


def test_nobody_else_can_read_it_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keys.json"
    (tmp_path / ".keys.json.partial").write_text("of a process that was killed", encoding="utf-8")
    modes: list[int] = []

    def look(path: Path) -> None:
        modes.extend(stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir())

    monkeypatch.setattr("heedful.serve.guard.keys.sync", look)
    Keys([]).add("anna", 1)[0].write(file)
    assert modes == [0o600]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_several_at_once_take_nothing_from_each_other(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    names = [f"key {n}" for n in range(6)]
    made = [start("keys", "add", name, "--file", file) for name in names]
    assert [process.communicate()[1] for process in made] == [""] * 6
    assert sorted(key.name for key in read_keys(file).keys) == names
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]
