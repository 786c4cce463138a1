"""Seeing what a model attends to and how it learns: records, and pictures drawn from records.

Importing this folder is quick: matplotlib is loaded by the functions that draw.
"""

from heedful.see.alignment import draw_alignment
from heedful.see.arcs import draw_arcs
from heedful.see.curve import draw_curve
from heedful.see.fonts import fonts_for, printable
from heedful.see.record import Attention, Kind, Record

__all__ = [
    "Attention",
    "Kind",
    "Record",
    "draw_alignment",
    "draw_arcs",
    "draw_curve",
    "fonts_for",
    "printable",
]
