"""eole's part: its own trainer, from its own configuration. Tokens are those that it reports."""

from __future__ import annotations

from typing import Any

import torch
from eole.config.run import TrainConfig
from eole.train_single import main as eole_train
from eole.utils.report_manager import CompositeReportMgr

from window import SAME, Job, Window, measure

NEVER = 1_000_000


def configuration(job: Job) -> dict[str, Any]:
    """As its recipes set up a Transformer, but for the CPU, and to measure nothing else."""
    return {
        "data": {"corpus": {"path_src": f"{job.text}/source", "path_tgt": f"{job.text}/target"}},
        "src_vocab": f"{job.text}/vocabulary", "share_vocab": True,
        "report_every": 50, "seed": 1,
        "model": {
            "architecture": "transformer", "share_embeddings": True,
            "share_decoder_embeddings": True, "layers": job.n_layers, "hidden_size": job.d_model,
            "transformer_ff": job.d_ff, "heads": job.n_heads,
            "embeddings": {
                "word_vec_size": job.d_model, "position_encoding_type": "SinusoidalInterleaved",
            },
        },
        "training": {
            "model_path": f"{job.out}/model", "compute_dtype": "fp32",
            # Its feed-forward networks drop out inside too; that cannot be had apart.
            "dropout": [SAME["dropout"]], "attention_dropout": [0.0],
            "label_smoothing": SAME["label_smoothing"], "log_attention_entropy": False,
            "batch_type": "tokens", "batch_size": job.batch_tokens, "normalization": "tokens",
            # One bucket is the whole corpus: least padding, and none is read inside the window.
            "bucket_size": job.pairs, "num_workers": 0,
            "optim": "adam", "adam_beta2": SAME["beta2"], "learning_rate": 2.0,
            "decay_method": "noam", "warmup_steps": SAME["warm_up"], "max_grad_norm": 0.0,
            "param_init": 0.0, "param_init_method": "xavier_uniform",
            "train_steps": NEVER, "valid_steps": NEVER, "save_checkpoint_steps": NEVER,
        },
    }  # fmt: skip


def train(job: Job, window: Window) -> None:
    """Through what `eole train` calls on a CPU, until the window is full."""
    torch.set_num_threads(job.threads)
    _count(window)
    eole_train(TrainConfig(**configuration(job)), device_id=-1)


def _count(window: Window) -> None:
    """It reports after each step what has come together since it last printed something."""
    report, before = CompositeReportMgr.report_training, [0, 0]

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        stats = given[4]  # after step, steps, rate and patience
        window.step(stats.n_src_tokens - before[0], stats.n_tokens - before[1])
        stats = report(self, *given, **more)
        before[:] = [stats.n_src_tokens, stats.n_tokens]
        return stats

    CompositeReportMgr.report_training = counted


if __name__ == "__main__":
    measure(train)
