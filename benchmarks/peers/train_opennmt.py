"""OpenNMT-py's part: its own trainer, from its own options. Tokens are those that it reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import yaml
from onmt.bin.train import _get_parser
from onmt.bin.train import train as opennmt_train
from onmt.utils.report_manager import ReportMgrBase

from window import SAME, Job, Window, measure

NEVER = 1_000_000


def options(job: Job) -> dict[str, Any]:
    """As its documentation sets up a Transformer, but for the CPU, and to measure nothing else."""
    return {
        "data": {
            "corpus": {"path_src": f"{job.text}/source", "path_tgt": f"{job.text}/target"},
        },
        "src_vocab": f"{job.text}/vocabulary", "share_vocab": True,
        "share_embeddings": True, "share_decoder_embeddings": True,
        "encoder_type": "transformer", "decoder_type": "transformer", "position_encoding": True,
        "layers": job.n_layers, "hidden_size": job.d_model, "word_vec_size": job.d_model,
        "transformer_ff": job.d_ff, "heads": job.n_heads,
        # Its feed-forward networks drop out inside too; that cannot be had apart.
        "dropout": [SAME["dropout"]], "attention_dropout": [0.0],
        "label_smoothing": SAME["label_smoothing"],
        "batch_type": "tokens", "batch_size": job.batch_tokens, "normalization": "tokens",
        # One bucket is the whole corpus: least padding, and none is read inside the window.
        "bucket_size": job.pairs, "num_workers": 0,
        "optim": "adam", "adam_beta2": SAME["beta2"], "learning_rate": 2.0,
        "decay_method": "noam", "warmup_steps": SAME["warm_up"], "max_grad_norm": 0.0,
        "param_init": 0.0, "param_init_glorot": True,
        "train_steps": NEVER, "valid_steps": NEVER, "save_checkpoint_steps": NEVER,
        "report_every": 50, "save_model": f"{job.out}/model", "seed": 1,
    }  # fmt: skip


def train(job: Job, window: Window) -> None:
    """Until the window is full."""
    _count(window)
    run(job, options(job))


def run(job: Job, chosen: dict[str, Any]) -> None:
    """Trains with these options, through its command's own function."""
    torch.set_num_threads(job.threads)
    recipe = Path(job.out) / "opennmt.yaml"
    recipe.write_text(yaml.safe_dump(chosen), encoding="utf-8")
    parsed, _ = _get_parser().parse_known_args(["-config", str(recipe)])
    opennmt_train(parsed)


def _count(window: Window) -> None:
    """It reports after each step what has come together since it last printed something."""
    report, before = ReportMgrBase.report_training, [0, 0]

    def counted(
        self: Any, step: int, steps: int, rate: float, patience: Any, stats: Any, **more: Any
    ) -> Any:
        window.step(stats.n_src_words - before[0], stats.n_words - before[1])
        stats = report(self, step, steps, rate, patience, stats, **more)
        before[:] = [stats.n_src_words, stats.n_words]
        return stats

    ReportMgrBase.report_training = counted


if __name__ == "__main__":
    measure(train)
