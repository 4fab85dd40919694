"""Writes evaluation results as summaries and reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_proto import make_tensor_proto
from tinytf._src.platform import file_io
from tinytf._src.summary.file_writer_cache import FileWriterCache
from tinytf._src.training.graph_files import summary_iterator


def write_results(output_dir: str, results: dict[Any, Any], step: Any) -> None:
    """Logs the results and writes them, except the global step itself, as one summary."""
    shown = ", ".join(f"{key} = {value!s}" for key, value in sorted(results.items()) if not isinstance(value, bytes))
    tf_logging.info("Saving dict for global step %d: %s", step, shown)
    summary = protos.Summary()
    for key, value in results.items():
        if value is not None and key != "global_step":
            _add(summary, key, value)
    _write(output_dir, summary, step)


def write_checkpoint_path(output_dir: str, checkpoint_path: str, step: Any) -> None:
    """Logs the path of the evaluated checkpoint and writes it as a summary."""
    tf_logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step, checkpoint_path)
    tensor = make_tensor_proto(checkpoint_path, dtype=dtypes.string)
    _write(output_dir, protos.Summary(value=[protos.Summary.Value(tag="checkpoint_path", tensor=tensor)]), step)


def read_results(pattern: str) -> Iterator[tuple[int, dict[str, float]]]:
    """Yields (global step, numbers by name) for each summary in the event files that match the pattern."""
    for path in file_io.get_matching_files(pattern):
        for event in summary_iterator(path):
            results = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")}
            if results:
                yield event.step, results


def _write(output_dir: str, summary: Any, step: Any) -> None:
    writer = FileWriterCache.get(output_dir)
    writer.add_summary(summary, step)
    writer.flush()


def _add(summary: Any, key: str, value: Any) -> None:
    if isinstance(value, (np.float32, float)):
        summary.value.add(tag=key, simple_value=float(value))
    elif isinstance(value, (np.int64, np.int32, int)):
        summary.value.add(tag=key, simple_value=int(value))
    elif isinstance(value, bytes):
        _add_summary(summary, key, value)
    elif isinstance(value, np.ndarray):
        summary.value.add(tag=key, node_name=key, tensor=make_tensor_proto(value))
        tf_logging.info(
            "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a Tensorboard plugin for "
            "visualization (see https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md for more "
            "information)."
        )
    else:
        tf_logging.warning(
            "Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int or np.ndarray or a serialized "
            "string of Summary.",
            key,
        )


def _add_summary(summary: Any, key: str, value: bytes) -> None:
    """Adds the values of a serialized `Summary`, under numbered tags."""
    from google.protobuf.message import DecodeError

    try:
        parts = protos.Summary.FromString(value).value
    except DecodeError:
        tf_logging.warning("Skipping summary for %s, cannot parse string to Summary.", key)
        return
    for i, part in enumerate(parts):
        part.tag = f"{key}/{i}"
    summary.value.extend(parts)
