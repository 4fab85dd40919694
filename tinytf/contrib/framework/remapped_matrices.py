"""Initializers that load rows of a checkpoint's matrices and remap them to a new vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.training import checkpoint_ops

__all__ = [
    "load_and_remap_matrix_initializer",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable_slot_initializer",
]

load_and_remap_matrix_initializer = checkpoint_ops._load_and_remap_matrix_initializer
load_embedding_initializer = checkpoint_ops._load_embedding_initializer


def load_linear_multiclass_bias_initializer(
    ckpt_path: str,
    bias_tensor_name: str,
    new_class_vocab_size: int,
    old_class_vocab_file: str,
    new_class_vocab_file: str,
    num_class_oov_buckets: int = 0,
    initializer: Callable[..., Any] | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """`load_and_remap_matrix_initializer` for the biases of classes.

    The variable has the shape [new_class_vocab_size + num_class_oov_buckets, 1] with one row per class.
    """
    return load_and_remap_matrix_initializer(
        ckpt_path,
        bias_tensor_name,
        new_class_vocab_size,
        1,
        old_row_vocab_file=old_class_vocab_file,
        new_row_vocab_file=new_class_vocab_file,
        num_row_oov_buckets=num_class_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )


def load_variable_slot_initializer(
    ckpt_path: str,
    old_tensor_name: str,
    primary_partition_info: Any,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_file: str | None = None,
    new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None,
    new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Callable[..., Any] | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """`load_and_remap_matrix_initializer` for the optimizer slot of a variable.

    `primary_partition_info` is the `PartitionInfo` of the variable's partition, because optimizers do not pass one when
    they create the slot.
    """
    load = load_and_remap_matrix_initializer(
        ckpt_path,
        old_tensor_name,
        new_row_vocab_size,
        new_col_vocab_size,
        -1,
        old_row_vocab_file,
        new_row_vocab_file,
        old_col_vocab_file,
        new_col_vocab_file,
        num_row_oov_buckets,
        num_col_oov_buckets,
        initializer,
        max_rows_in_memory,
    )

    def load_piece(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> Any:
        return load(shape, dtype, partition_info=primary_partition_info)

    return load_piece
