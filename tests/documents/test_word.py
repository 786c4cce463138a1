"""Word's documents: what stands in a paragraph."""

from __future__ import annotations

import pytest

from heedful.documents.allowance import MOST_UNPACKED, Allowance
from heedful.documents.formats import open_document
from heedful.documents.translatable import Hint
from heedful.documents.word import read_word
from heedful.planning import Translation

from .test_formats import archive, files_of
from .test_markup import backwards, shouted

SPACE = ' xml:space="preserve"'
LINK = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://x"'
    '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
)
END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def run(text: str, looks: str = "") -> str:
    return f"<w:r>{f'<w:rPr>{looks}</w:rPr>' if looks else ''}<w:t{SPACE}>{text}</w:t></w:r>"


def paragraph(*content: str) -> str:
    return f"<w:p>{''.join(content)}</w:p>"


@pytest.mark.parametrize(
    "body",
    [
        paragraph(run("A word"), run("1", '<w:vertAlign w:val="superscript"/>'), run(" and more.")),
        paragraph(run("see", '<w:vertAlign w:val="superscript"/>'), run(" it")),
        paragraph(run("("), f"<w:hyperlink>{run('Link', '<w:u/>')}</w:hyperlink>", run(") text")),
        paragraph(run("“"), run("Quote", "<w:i/>"), run("” he said")),
        paragraph(run("A claim"), "<w:r><w:footnoteReference/></w:r>", run(" that goes on.")),
        paragraph(run("See "), LINK, run("the site", "<w:u/>"), END, run(" now please.")),
        paragraph("<w:sdt><w:sdtPr/><w:sdtContent>", run("click"), "</w:sdtContent></w:sdt>",
                  run(" it", "<w:b/>")),
        paragraph(run("bold", "<w:b/>"), run(" "), run("slanted", "<w:i/>")),
        paragraph(run("  10\u00a0km and\u2003more  space ")),
        paragraph("<w:bookmarkStart/>", run("Heading"), "<w:bookmarkEnd/>"),
        paragraph(f"<w:r><w:t{SPACE}>one<!-- x --> two &co; three</w:t></w:r>"),
        paragraph(run("&amp;"), "<w:r><w:br/></w:r>", run("x", "<w:b/>")),
    ],
)  # fmt: skip
def test_where_order_is_kept_only_words_change(body: str) -> None:
    read = read_word(body, Allowance())
    assert read.rendered(list(map(shouted, read.passages, read.hints))).lower() == body.lower()


def test_the_sign_of_a_note_is_no_part_of_its_word() -> None:
    raised = '<w:vertAlign w:val="superscript"/>'
    read = read_word(paragraph(run("A word"), run("1", raised), run(" here.")), Allowance())
    assert read.passages == ["A word here."]
    alone = paragraph(run("1", raised))
    assert read_word(alone, Allowance()).passages == []
    assert read_word(alone, Allowance()).rendered([]) == alone


def test_a_field_moves_as_a_whole() -> None:
    body = paragraph(run("See "), LINK, run("the site", "<w:u/>"), END, run(" now."))
    read = read_word(body, Allowance())
    done = read.rendered(list(map(backwards, read.passages, read.hints)))
    assert f"{LINK}{run('site the ', '<w:u/>')}{END}{run('See')}" in done


def test_neighbours_that_look_the_same_are_one() -> None:
    """Their words need not be told apart."""
    saved = run("lo wor").replace("<w:r>", '<w:r w:rsidR="00AB12">')
    body = paragraph(run("Hel"), saved, '<w:proofErr w:type="spellStart"/>', run("ld"))
    read = read_word(body, Allowance())
    assert (read.passages, read.hints) == (["Hello world"], [Hint()])
    assert read.rendered([shouted("Hello world")]) == paragraph(run("HELLO WORLD"))


def test_cdata_is_text() -> None:
    read = read_word(paragraph("<w:r><w:t><![CDATA[a & <b>]]></w:t></w:r>"), Allowance())
    assert read.passages == ["a & <b>"]
    assert read.rendered([shouted("a & <b>")]) == paragraph(run("A &amp; &lt;B&gt;"))


def test_boxes_in_boxes_are_read_to_some_depth() -> None:
    body = run("innermost")
    for n in range(40):
        box = f"<w:r><w:pict><w:txbxContent>{paragraph(body)}</w:txbxContent></w:pict></w:r>"
        body = run(f"level {n}") + box
    read = read_word(paragraph(body), Allowance())
    done = read.rendered(list(map(shouted, read.passages, read.hints)))
    assert 5 < len(read.passages) < 41
    apart = "</w:r><w:r>"  # a box and the words before it may be one run
    assert done.lower().replace(apart, "") == paragraph(body).lower().replace(apart, "")


NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.mark.parametrize("prefix", ["ns0:", ""])
def test_prefixes_are_each_files_own(prefix: str) -> None:
    declared = f'xmlns{":" * bool(prefix)}{prefix.rstrip(":")}="{NAMESPACE}"'
    body = f"<w:document {declared}>{paragraph(run('Hi'), run('all', '<w:b/>'))}</w:document>"
    body = body.replace("<w:", f"<{prefix}").replace("</w:", f"</{prefix}")
    read = read_word(body, Allowance())
    assert read.passages == ["Hiall"]
    assert read.rendered([shouted("Hiall")]).lower() == body.lower()


def test_parts_are_found_by_their_types() -> None:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}+xml"
    types = "".join(
        f'<Override PartName="/word/{name}" ContentType="{kind.format(kind_of)}"/>'
        for name, kind_of in (("x.xml", "document.main"), ("y.xml", "header"), ("z.xml", "styles"))
    )
    files = {"[Content_Types].xml": f"<Types>{types}</Types>"}
    files |= {f"word/{name}.xml": paragraph(run(name)) for name in ("x", "y", "z", "document2")}
    data = archive(files)
    document = open_document(data, "docx", unpacked=MOST_UNPACKED)
    assert document.passages == ["x", "y", "document2"]
    done = files_of(document.rendered([Translation("T", 0.0, ())] * 3))
    assert done["word/z.xml"] == files["word/z.xml"]
    assert done["word/x.xml"] == paragraph(run("T"))
