"""Who may look at whom, and how much: masks, scores, the attention function, many heads.

Shapes in this folder and in `layers` and `models`, batch first throughout:

    B  sentences in the batch          S      source positions
    N  sentences in a search           T      target positions
    k  hypotheses of each of them      H      heads
    R  hypotheses of all, N · k        d_k    elements of a query or key
    L  positions that look             d_v    elements of a value
    M  positions looked at             d_enc  elements of a recurrent encoder's states
    W  positions that a sentence's     parts  of a recurrent state: h, and an LSTM's c
       hypotheses have written         width  positions in a convolution's window
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
