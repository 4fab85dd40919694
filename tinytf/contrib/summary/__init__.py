"""`tf.contrib.summary`: summary operations that write to an event file when they run."""

from __future__ import annotations

import os

from tinytf.python.missing import no_other_names
from tinytf.python.ops.summary_ops_v2 import (
    SummaryWriter,
    always_record_summaries,
    audio,
    create_file_writer,
    flush,
    generic,
    graph,
    histogram,
    image,
    import_event,
    initialize,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    scalar,
    should_record_summaries,
    summary_writer_initializer_op,
)
from tinytf.python.ops.summary_ops_v2 import all_v2_summary_ops as all_summary_ops

__all__ = [
    "SummaryWriter",
    "all_summary_ops",
    "always_record_summaries",
    "audio",
    "create_file_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "generic",
    "graph",
    "histogram",
    "image",
    "import_event",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
    "summary_writer_initializer_op",
]
__getattr__ = no_other_names(__name__)

create_summary_file_writer = create_file_writer


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """Returns the directory for the events of an evaluation, with an optional name, below the directory of a model."""
    return os.path.join(model_dir, "eval" if not name else f"eval_{name}")
