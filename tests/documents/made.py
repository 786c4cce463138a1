"""Documents made by the libraries that others make them with."""

from __future__ import annotations

import io
import zipfile

import docx
from docx.enum.text import WD_BREAK
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.text.paragraph import Paragraph
from ebooklib import epub
from odf import draw, office, style, table, text
from odf.opendocument import OpenDocumentText

FOOTNOTES = (
    f'<w:footnotes {nsdecls("w")}><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r>'
    "<w:t>The note itself.</w:t></w:r></w:p></w:footnote></w:footnotes>"
)
BOX = (
    f'<w:r {nsdecls("w")} xmlns:v="urn:schemas-microsoft-com:vml"><w:pict><v:shape><v:textbox>'
    "<w:txbxContent><w:p><w:r><w:t>Words in a box.</w:t></w:r></w:p></w:txbxContent></v:textbox>"
    "</v:shape></w:pict></w:r>"
)


def _link(paragraph: Paragraph, shown: str) -> None:
    address = paragraph.part.relate_to("http://x.y/", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    paragraph._p.append(
        parse_xml(
            f'<w:hyperlink {nsdecls("w", "r")} r:id="{address}"><w:r><w:rPr><w:u w:val="single"/>'
            f"</w:rPr><w:t>{shown}</w:t></w:r></w:hyperlink>"
        )
    )


def _paragraphs(made: docx.document.Document) -> None:
    mixed = made.add_paragraph("A plain ")
    mixed.add_run("bold").bold = True
    mixed.add_run(" and (")
    both = mixed.add_run("slanted")
    both.bold = both.italic = True
    mixed.add_run(") text")
    mixed.add_run("1").font.superscript = True
    mixed.add_run(" (")
    _link(mixed, "see there")
    mixed.add_run(").")
    noted = made.add_paragraph("A claim")
    noted._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    noted.add_run(" that goes on.")
    boxed = made.add_paragraph("Before it ")
    boxed._p.append(parse_xml(BOX))
    boxed.add_run("behind it")
    made.add_paragraph("    code:\n\tindented\n  more  spaces")
    broken = made.add_paragraph("The last page.")
    broken.add_run().add_break(WD_BREAK.PAGE)
    broken.add_run("A new page.")


def word_file() -> bytes:
    made = docx.Document()
    section = made.sections[0]
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].text = "Words above"
    section.footer.paragraphs[0].text = "Words below"
    section.first_page_header.paragraphs[0].text = "First words above"
    made.add_heading("Main title & more", 0)
    _paragraphs(made)
    made.add_paragraph("Item one", style="List Number")
    cells = made.add_table(2, 2)
    cells.cell(0, 0).text = "Cell one"
    cells.cell(1, 1).add_table(1, 1).cell(0, 0).text = "Cell inside"
    out = io.BytesIO()
    made.save(out)
    return _with_footnotes(out.getvalue())


def _with_footnotes(data: bytes) -> bytes:
    """python-docx makes none; and the main part is called as some programs call it."""
    out = io.BytesIO()
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    note = f'<Override PartName="/word/footnotes.xml" ContentType="{kind}"/></Types>'
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith((".rels", "Types].xml")):
                content = content.replace(b"document.xml", b"main-text.xml")
            new.writestr(
                name.replace("document.xml", "main-text.xml"),
                content.replace(b"</Types>", note.encode()),
            )
        new.writestr("word/footnotes.xml", FOOTNOTES)
    return out.getvalue()


def _with(parent: object, *children: object) -> object:
    for child in children:
        if isinstance(child, str):
            parent.addText(child)  # type: ignore[attr-defined]  # odfpy has no types
        else:
            parent.addElement(child)  # type: ignore[attr-defined]  # nor here
    return parent


def open_document_file() -> bytes:
    made = OpenDocumentText()
    spoken = style.TextProperties(language="en", country="US")
    made.styles.addElement(_with(style.DefaultStyle(family="paragraph"), spoken))
    layout = style.PageLayout(name="l")
    made.automaticstyles.addElement(layout)
    page = style.MasterPage(name="Standard", pagelayoutname="l")
    made.masterstyles.addElement(page)
    _with(page, _with(style.Header(), text.P(text="Words above")))
    _with(page, _with(style.Footer(), text.P(text="Words below")))
    note = text.Note(noteclass="footnote", id="n1")
    body = _with(text.NoteBody(), text.P(text="The note itself."))
    _with(note, text.NoteCitation(text="1"), body)
    box = _with(draw.TextBox(), text.P(text="Words in a box."))
    frame = _with(draw.Frame(anchortype="as-char"), box)
    comment = _with(office.Annotation(), text.P(text="A remark"))
    cell = _with(table.TableCell(), text.P(text="Cell one"))
    _with(
        made.text,
        _with(text.H(outlinelevel=1), text.BookmarkStart(name="b"), "The title",
              text.BookmarkEnd(name="b")),
        _with(text.P(), "A claim", note, " (", text.Span(stylename="T1", text="bold"), ") word",
              text.Span(stylename="T2", text="2"), " and ", text.A(href="http://x.y", text="link"),
              "."),
        _with(text.P(), text.S(c=4), "On page ", text.PageNumber(text="3"), " a ",
              text.BookmarkStart(name="c"), "very", text.BookmarkEnd(name="c"), " ", frame,
              "fine", text.Tab(), "box", comment, " here"),
        _with(text.List(), _with(text.ListItem(), text.P(text="Item one"))),
        _with(table.Table(), _with(table.TableRow(), cell)),
    )  # fmt: skip
    out = io.BytesIO()
    made.write(out)
    return out.getvalue()


PAGE = (
    '<h1 id="h">Chapter one</h1><p>Some <em>strong <b>words</b></em> here'
    '<a epub:type="noteref" href="#n1"><sup>1</sup></a> and H<sub>2</sub>O.</p>'
    '<p><a id="p1"></a>Anchor <span epub:type="pagebreak" id="p13"></span>here is '
    '<a id="page_12"/>one sentence&#160;more.</p><p><img src="x.png" alt="A picture"/></p>'
    '<table><tr><td>Cell one</td></tr></table><aside id="n1"><p>The note itself.</p></aside>'
)


def book_file() -> bytes:
    made = epub.EpubBook()
    made.set_title("My title")
    made.set_language("en")
    made.set_identifier("x")
    chapter = epub.EpubHtml(title="Chapter one", file_name="c1.xhtml", lang="en")
    chapter.content = PAGE
    made.add_item(chapter)
    made.toc = (chapter,)
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    made.spine = ["nav", chapter]
    out = io.BytesIO()
    epub.write_epub(out, made)
    return out.getvalue()
