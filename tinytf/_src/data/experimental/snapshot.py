"""Snapshots: files of the elements of a pipeline, which later iterations read in place of its input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import UnaryUnchangedStructureDataset
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

COMPRESSION_GZIP = "GZIP"
COMPRESSION_NONE = None


class _SnapshotDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: Any, path: Any, **attrs: Any) -> None:
        self._path = convert_to_tensor(path, dtype=dtypes.string, name="path")
        variant = gen_ops.snapshot_dataset(
            input_dataset._variant_tensor, path=self._path, **attrs, **input_dataset._flat_structure
        )
        super().__init__(input_dataset, variant)


def _or_default(number: int | None) -> int:
    """The number that stands for the op's default if there is none."""
    return -1 if number is None else number


def snapshot(
    path: Any,
    compression: str | None = None,
    reader_path_prefix: str | None = None,
    writer_path_prefix: str | None = None,
    shard_size_bytes: int | None = None,
    pending_snapshot_expiry_seconds: int | None = None,
    num_reader_threads: int | None = None,
    reader_buffer_size: int | None = None,
    num_writer_threads: int | None = None,
    writer_buffer_size: int | None = None,
) -> Callable[[Any], Any]:
    """Keeps the elements in files. The first iteration over a pipeline writes them; once it has taken the last element,
    iterations over equal pipelines, in this process or others, read the files and do not run what is in front of the
    snapshot. While a snapshot is being written, other iterations run the pipeline.

    Args:
      path: string or string tensor, the folder of snapshots. A snapshot is in a folder inside it whose name is a hash of
        the pipeline's graph.
      compression: str, "GZIP"; None: not compressed. A snapshot is read as it was written.
      reader_path_prefix: str in front of the names of files that are read.
      writer_path_prefix: str in front of the names of files that are written.
      shard_size_bytes: int, bytes of elements after which another file is begun, at least 1 MiB; default 10 GiB.
      pending_snapshot_expiry_seconds: int, after how many seconds an incomplete snapshot is written anew; default a day.
      num_reader_threads: int, files that are read at a time, one element of each in turn; default 1. The elements
        are in their order if the snapshot was written with as many.
      reader_buffer_size: int, elements that are read ahead; default 1.
      num_writer_threads: int, files that are written at a time; default 1.
      writer_buffer_size: int, elements that are collected before they are written; default 1.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _SnapshotDataset(
            dataset,
            path,
            compression=compression or "",
            reader_path_prefix=reader_path_prefix or "",
            writer_path_prefix=writer_path_prefix or "",
            shard_size_bytes=_or_default(shard_size_bytes),
            pending_snapshot_expiry_seconds=_or_default(pending_snapshot_expiry_seconds),
            num_reader_threads=_or_default(num_reader_threads),
            reader_buffer_size=_or_default(reader_buffer_size),
            num_writer_threads=_or_default(num_writer_threads),
            writer_buffer_size=_or_default(writer_buffer_size),
        )

    return transformation
