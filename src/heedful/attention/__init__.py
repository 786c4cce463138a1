"""Who may look at whom, and how much: masks, scores, the attention function, many heads.

Shapes in this folder and in `layers` and `models`, batch first throughout:

    B  sentences in the batch         S  source positions    H    heads
    R  rows of a search (hypotheses)  T  target positions    d_k  width of a query or key
    L  positions that look            M  positions looked at d_v  width of a value
"""

from heedful.attention.attend import attend, attend_unseen, weigh
from heedful.attention.look import Look, Recorder
from heedful.attention.masks import Reach, causal_mask, padding_mask, score_bias, window_mask
from heedful.attention.multi_head import MultiHeadAttention
from heedful.attention.scores import Score, make_score

__all__ = [
    "Look",
    "MultiHeadAttention",
    "Reach",
    "Recorder",
    "Score",
    "attend",
    "attend_unseen",
    "causal_mask",
    "make_score",
    "padding_mask",
    "score_bias",
    "weigh",
    "window_mask",
]
