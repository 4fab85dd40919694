"""Initializes variables with rows or columns of words from checkpoints with another vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.checkpoint.checkpoint_reader import checkpoint_of
from tinytf._src.checkpoint.remapped_matrices import load_and_remap_matrix_initializer
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.state import state_ops
from tinytf._src.variables.partitioners import PartitionInfo


def begin_with_other_vocabulary(pieces: Sequence[Any], checkpoint: str, name: str, info: Any) -> None:
    """Initializes the slices of a variable with the rows (columns) that their words have in a checkpoint. Rows of new
    words, and out-of-vocabulary rows, get values of the backup initializer.

    Args:
      name: the variable's name in the checkpoint.
      info: a `VocabInfo`.
    """
    if not (info.new_vocab and info.new_vocab_size and info.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    rows = sum(piece.shape.as_list()[0] for piece in pieces)
    for piece in pieces:
        shape = piece.shape.as_list()
        if info.axis == 0:
            load = load_and_remap_matrix_initializer(
                checkpoint_of(checkpoint),
                name,
                info.new_vocab_size,
                shape[1],
                old_row_vocab_size=info.old_vocab_size,
                old_row_vocab_file=info.old_vocab,
                new_row_vocab_file=info.new_vocab,
                num_row_oov_buckets=info.num_oov_buckets,
                initializer=info.backup_initializer,
            )
        else:
            load = load_and_remap_matrix_initializer(
                checkpoint_of(checkpoint),
                name,
                rows,
                info.new_vocab_size,
                old_col_vocab_file=info.old_vocab,
                new_col_vocab_file=info.new_vocab,
                num_col_oov_buckets=info.num_oov_buckets,
                initializer=info.backup_initializer,
            )
        slices = piece._save_slice_info
        where = None if slices is None else PartitionInfo(slices.full_shape, slices.var_offset)
        value = convert_to_tensor(load(shape, partition_info=where))
        piece._initializer_op = state_ops.assign(piece, value).op
