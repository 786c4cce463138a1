"""Files of pairs: headers, blank lines, and what spreadsheets write."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus

ROWS = [
    ("source", "target"),
    ('He said "no", twice.', "Er sagte »nein«; zweimal."),
    ("Two\nlines", "Zwei\tTeile"),
    *[(f"Line {n}, you see; it is long", f"Zeile {n}, lang; wie man sieht") for n in range(30)],
]
FLAT = [(" ".join(source.split()), " ".join(target.split())) for source, target in ROWS[1:]]


def pairs_of(path: Path) -> list[tuple[str, str]]:
    return list(ParallelCorpus(pairs=path))


def fault_of(path: Path) -> str:
    with pytest.raises(InputError) as told:
        pairs_of(path)
    return str(told.value)


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "header",
    ["source\ttarget", "Source\tTarget\r", "src\ttgt", "en\tde", "English\tGerman", "KOR\tENG",
     "sentence1\tsentence2_de", "text (English)\ttranslation", "\ufeffsource_text\ttarget_text",
     '"source"\t"target"', "\n  \nsource\ttarget", "id\ttext"],
)  # fmt: skip
def test_a_header_is_left_out_and_told(header: str, tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", f"{header}\na\tb\n")
    assert [pair for pair in pairs_of(path) if any(pair)] == [("a", "b")]
    told = ParallelCorpus(pairs=path).header()
    assert told is not None
    assert told.startswith(f"the first line of {path} (")
    assert " TAB " in told


@pytest.mark.parametrize(
    "line",
    ["Go.\tGeh.", "source\tsource", "no\tno", "a\tb", "Text\tTexte", "\ttarget", "source\t",
     "English is fun\tGerman", "It is he.\tEs", "3\t4", "German\tAllemand"],
)  # fmt: skip
def test_a_pair_is_no_header(line: str, tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", f"{line}\na\tb\n")
    assert pairs_of(path) == [tuple(line.split("\t")), ("a", "b")]
    assert ParallelCorpus(pairs=path).header() is None


def test_later_lines_are_no_header(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "a\tb\nsource\ttarget\n")
    assert pairs_of(path) == [("a", "b"), ("source", "target")]


def test_nothing_but_a_header(tmp_path: Path) -> None:
    assert "no pair has text" in fault_of(write(tmp_path / "pairs.tsv", "source\ttarget\n"))


def test_blank_lines_are_blank_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "pairs.tsv", "\n1\t2\r\n\r\n  \n\u3000\n3\t4\n\t\t\n\n")
    blank = ("", "")
    found = [blank, ("1", "2"), blank, blank, blank, ("3", "4"), blank, blank]
    assert pairs_of(path) == found
    monkeypatch.setattr("heedful.text.blocks.SIZE", 3)
    assert pairs_of(path) == found


def test_other_lines_without_a_tab_keep_their_number(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "source\ttarget\n\na\tb\nno tab\nc\td\n")
    assert fault_of(path).endswith(
        "pairs.tsv: line 4 has 1 column; exactly 2 are wanted: source TAB target"
    )


def test_more_columns_everywhere(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "1\ta\tb\n\n2\tc\td\n")
    assert "line 1 has 3 columns" in fault_of(path)
    assert fault_of(path).endswith(f"for example: cut -f 1,2 < {path} > NEW")
    one = write(tmp_path / "one.tsv", "1\ta\n2\tb\tc\n3\td\n")
    assert fault_of(one).endswith("one.tsv: line 2 has 3 columns; exactly 2 are wanted: source TAB "
                                  "target")  # fmt: skip


@pytest.mark.parametrize(
    ("how", "encoding", "told"),
    [
        ({"delimiter": "\t", "quoting": csv.QUOTE_ALL}, "utf-8", "columns stand in quotes"),
        ({"delimiter": "\t"}, "utf-8", "columns stand in quotes"),
        ({"delimiter": "\t"}, "utf-16", "columns stand in quotes"),
        ({}, "utf-8-sig", "line 1 has 1 column; exactly 2 are wanted: source TAB target. It looks "
                          "like CSV, whose columns are separated by commas"),
        ({"delimiter": ";"}, "utf-8", "separated by semicolons"),
    ],
)  # fmt: skip
def test_what_a_spreadsheet_wrote_is_converted_by_the_command(
    how: dict[str, Any], encoding: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "the table.tsv"
    with path.open("w", encoding=encoding, newline="") as out:
        csv.writer(out, **how).writerows(ROWS)
    fault = fault_of(path)
    assert told in fault
    command = fault.partition("convert it: ")[2].replace("python3", sys.executable, 1)
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    assert pairs_of(tmp_path / "NEW") == FLAT


def test_a_cell_in_quotes_with_quotes_inside(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", 'a\tb\n"He said ""no""."\tc\nd\te\n')
    assert "its columns stand in quotes" in fault_of(path)


@pytest.mark.parametrize(
    "line",
    ['"Go!"\tGeh!', '"Go!" he said, "now!"\t"Geh!" sagte er.', 'a 5" nail\tein Nagel',
     '"Go!"\t"Geh!"'],
)  # fmt: skip
def test_quotes_of_the_text_itself_stay(line: str, tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "Yes.\tJa.\n" * 3 + line + "\n")
    assert pairs_of(path)[-1] == tuple(line.split("\t"))


def test_an_open_quote_is_no_spreadsheet(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "a\tb\n" * 3 + '"no tab here\n' + 'He said "c"\td\n' * 9)
    assert "line 4 has 1 column" in fault_of(path)
