"""Initializers that load a matrix from a checkpoint and reorder rows or columns for another vocabulary."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.math.ranges import range as range_op
from tinytf._src.variables.initializers import truncated_normal_initializer, zeros_initializer
from tinytf._src.variables.partitioners import PartitionInfo

_Initializer = Callable[..., Any]


def load_and_remap_matrix_initializer(
    ckpt_path: str,
    old_tensor_name: str,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: str | None = None,
    new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None,
    new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: _Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> _Initializer:
    """Returns an initializer for float32 variables of shape [new_row_vocab_size + num_row_oov_buckets,
    new_col_vocab_size + num_col_oov_buckets], which may be partitioned along rows.

    Each row is initialized with the row of the same word in the checkpoint. Vocabularies are text files; line i is the
    word of row i. Without vocabularies the order is unchanged. The same applies to columns.

    Args:
      ckpt_path: a checkpoint, read when the initializer runs.
      old_tensor_name: name of the matrix in it.
      old_row_vocab_size: number of lines of `old_row_vocab_file` to use; -1: all.
      num_row_oov_buckets, num_col_oov_buckets: numbers of additional rows and columns at the end, for out-of-vocabulary
        words.
      initializer: takes a shape; makes the missing values. None: zeros.
      max_rows_in_memory: number of rows to read at a time; not positive: all.

    Raises:
      TypeError: if `initializer` is not callable; raised by the result for dtypes other than float32.
      ValueError: raised by the result for invalid shapes.
    """
    initializer = zeros_initializer() if initializer is None else initializer
    if not callable(initializer):
        raise TypeError(f"initializer must be callable, instead of being {initializer} of type {type(initializer)}.")
    whole = _Remapping(
        ckpt_path,
        old_tensor_name,
        new_row_vocab_size,
        new_col_vocab_size,
        old_row_vocab_size,
        _Files("row", old_row_vocab_file, new_row_vocab_file),
        _Files("col", old_col_vocab_file, new_col_vocab_file),
        num_row_oov_buckets,
        num_col_oov_buckets,
        initializer,
        max_rows_in_memory,
    )

    def load(shape: Sequence[int], dtype: Any = dtypes.float32, partition_info: PartitionInfo | None = None) -> Any:
        if dtype != dtypes.float32:
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
        offset, fresh_rows = whole.place_of_piece(shape, partition_info)
        if offset > whole.rows:
            return whole.initializer(shape)
        return replace(whole, rows=shape[0] - fresh_rows, fresh_rows=fresh_rows).load(offset)

    return load


def load_embedding_initializer(
    ckpt_path: str,
    embedding_tensor_name: str,
    new_vocab_size: int,
    embedding_dim: int,
    old_vocab_file: str,
    new_vocab_file: str,
    old_vocab_size: int = -1,
    num_oov_buckets: int = 0,
    initializer: _Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> _Initializer:
    """Returns an initializer for embeddings; see `load_and_remap_matrix_initializer`. Missing rows are drawn from
    `initializer`; None: a truncated normal distribution with standard deviation 1 / sqrt(embedding_dim)."""
    if initializer is None:
        initializer = truncated_normal_initializer(stddev=1.0 / math.sqrt(embedding_dim))
    return load_and_remap_matrix_initializer(
        ckpt_path,
        embedding_tensor_name,
        new_vocab_size,
        embedding_dim,
        old_vocab_size,
        old_vocab_file,
        new_vocab_file,
        num_row_oov_buckets=num_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )


@dataclass(frozen=True)
class _Files:
    """The vocabularies of an axis: both or none."""

    axis: str
    old: Any
    new: Any

    def __bool__(self) -> bool:
        return bool(self.new and self.old)

    def check(self) -> None:
        if bool(self.old) != bool(self.new):
            old, new = f"old_{self.axis}_vocab_file", f"new_{self.axis}_vocab_file"
            raise ValueError(
                f"{old} and {new} must both be specified or left unspecified. {old}='{self.old}', {new}='{self.new}'"
            )

    def remapping(self, offset: int, count: int, old_size: int = -1) -> tuple[Any, Any]:
        """Returns, for `count` new words, their old indices, and how many of them existed."""
        remapping, present = gen_ops.generate_vocab_remapping(
            self.new, self.old, new_vocab_offset=offset, num_new_vocab=count, old_vocab_size=old_size
        )
        return remapping, present


@dataclass(frozen=True)
class _Remapping:
    """A matrix, or some rows of it, and its sources."""

    path: str
    name: str
    rows: int
    columns: int
    old_rows: int
    row_files: _Files
    column_files: _Files
    fresh_rows: int
    fresh_columns: int
    initializer: _Initializer
    max_rows: int

    def place_of_piece(self, shape: Sequence[int], info: PartitionInfo | None) -> tuple[int, int]:
        """Returns the first row of a slice with that shape, and the number of its out-of-vocabulary rows."""
        if len(shape) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if shape[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        if shape[1] != self.columns + self.fresh_columns:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({self.columns}) + num_col_oov_buckets "
                f"({self.fresh_columns}) = {self.columns + self.fresh_columns}, but received shape: {shape}"
            )
        offset = 0 if info is None else info.single_offset(shape)
        if offset + shape[0] > self.rows + self.fresh_rows:
            raise ValueError(
                f"Trying to initialize {shape[0]} additional rows after {offset} rows have already been initialized, which "
                f"would exceed expected total row count of new_row_vocab_size ({self.rows}) + num_row_oov_buckets "
                f"({self.fresh_rows}) = {self.rows + self.fresh_rows}."
            )
        return offset, min(shape[0], max(0, offset + shape[0] - self.rows))

    def load(self, offset: int) -> Any:
        """Loads `rows` rows of the whole matrix, from row `offset`."""
        self._check()
        present_rows: Any = self.rows
        present_columns: Any = self.columns
        row_remapping: Any
        column_remapping: Any = []
        if self.row_files:
            row_remapping, present_rows = self.row_files.remapping(offset, self.rows, self.old_rows)
        else:
            row_remapping = range_op(offset, offset + self.rows, dtype=dtypes.int64)
        if self.column_files:
            column_remapping, present_columns = self.column_files.remapping(0, self.columns)
        matrix = gen_ops.load_and_remap_matrix(
            self.path,
            self.name,
            row_remapping,
            column_remapping,
            self.initializer([self.rows * self.columns - present_rows * present_columns, 1]),
            num_rows=self.rows,
            num_cols=self.columns,
            max_rows_in_memory=self.max_rows,
        )
        if self.fresh_rows > 0:
            matrix = concat([matrix, convert_to_tensor(self.initializer([self.fresh_rows, self.columns]))], 0)
        if self.fresh_columns > 0:
            fresh = self.initializer([self.rows + self.fresh_rows, self.fresh_columns])
            matrix = concat([matrix, convert_to_tensor(fresh)], 1)
        return matrix

    def _check(self) -> None:
        for name, count in (("num_row_oov_buckets", self.fresh_rows), ("num_col_oov_buckets", self.fresh_columns)):
            if count < 0:
                raise ValueError(f"{name} must be >= 0, but received {count}")
        self.row_files.check()
        self.column_files.check()
        if not (self.row_files or self.column_files):
            raise ValueError(
                "Must provide either row or column vocab files. If no remapping is necessary, consider using "
                "`tf.contrib.framework.init_from_checkpoint` instead."
            )
