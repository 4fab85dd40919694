"""Variables whose rows or columns are of words, taken over for other words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.framework.constant_op import constant
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import device
from tinytf.ops.array.gathering import gather
from tinytf.ops.array.shape_ops import reshape
from tinytf.ops.state import state_ops
from tinytf.platform import file_io
from tinytf.saving.checkpoint_reader import checkpoint_of
from tinytf.variables.initializers import zeros_initializer
from tinytf.variables.partitioners import PartitionInfo
from tinytf.variables.resource_variable import ResourceVariable


def begin_with_other_vocabulary(pieces: Sequence[Any], checkpoint: str, name: str, info: Any) -> None:
    """The pieces of a variable begin with the rows (columns) that their words have in a checkpoint; those of other words with
    what the initializer makes, those of no word, too.

    Args:
      name: of the variable in the checkpoint.
      info: a `VocabInfo`.
    """
    old = _numbers(info.old_vocab, info.old_vocab_size)
    words = _words(info.new_vocab, info.new_vocab_size)
    if len(words) < info.new_vocab_size:
        raise ValueError(
            f"{info.new_vocab} has {len(words)} words, but the variable {name} is said to have {info.new_vocab_size}"
        )
    places = np.array([old.get(word, -1) for word in words] + [-1] * info.num_oov_buckets, np.int64)
    path = checkpoint_of(checkpoint)
    for piece in pieces:
        slices = piece._save_slice_info
        where = None if slices is None else PartitionInfo(slices.full_shape, slices.var_offset)
        offset = 0 if slices is None else slices.var_offset[info.axis]
        size = piece.shape.as_list()[info.axis]
        own = places[offset : offset + size]
        if len(own) != size:
            raise ValueError(
                f"The variable {name} has {size} {'columns' if info.axis else 'rows'} for words, but there are {len(own)}: "
                f"{info.new_vocab_size} words and {info.num_oov_buckets} for others"
            )
        _begin(piece, path, name, own, info, where, None if slices is None else slices)


def _words(file: str, count: int) -> list[str]:
    lines = file_io.read_file_to_string(file).splitlines()
    return lines if count < 0 else lines[:count]


def _numbers(file: str, count: int) -> dict[str, int]:
    return {word: i for i, word in enumerate(_words(file, count))}


def _begin(
    piece: Any, path: Any, name: str, places: np.ndarray, info: Any, where: PartitionInfo | None, slices: Any
) -> None:
    shape, dtype = piece.shape.as_list(), piece.dtype.base_dtype
    make = info.backup_initializer or zeros_initializer()
    fresh = convert_to_tensor(
        make(shape, dtype=dtype) if where is None else make(shape, dtype=dtype, partition_info=where)
    )
    with device(piece.device), device("/cpu:0"):
        saved = gen_ops.restore_v2(path, [name], [""], [dtype])[0]
        known = places >= 0
        value = gather(saved, constant(np.maximum(places, 0)), axis=info.axis)
        if slices is not None and slices.var_shape[1 - info.axis] != slices.full_shape[1 - info.axis]:
            begin = slices.var_offset[1 - info.axis]
            rest = np.arange(begin, begin + slices.var_shape[1 - info.axis])
            value = gather(value, constant(rest), axis=1 - info.axis)
        mask = constant(np.broadcast_to(known[:, None] if info.axis == 0 else known[None, :], shape).copy())
        value = gen_ops.select(mask, reshape(value, shape), fresh)
    if isinstance(piece, ResourceVariable):
        piece._initializer_op = gen_ops.assign_variable_op(piece.handle, value)
    else:
        piece._initializer_op = state_ops.assign(piece, value).op
