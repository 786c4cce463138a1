"""Who may look at whom, and how much: masks, the attention function, many heads.

Shapes in this folder and in `layers` and `models`, batch first throughout:

    B  sentences in the batch         S  source positions    H    heads
    R  rows of a search (hypotheses)  T  target positions    d_k  width of a query or key
    L  positions that look            M  positions looked at d_v  width of a value
"""

from heedful.attention.attend import attend, attend_unseen
from heedful.attention.masks import causal_mask, padding_mask, score_bias
from heedful.attention.multi_head import MultiHeadAttention, Recorder

__all__ = [
    "MultiHeadAttention",
    "Recorder",
    "attend",
    "attend_unseen",
    "causal_mask",
    "padding_mask",
    "score_bias",
]
