"""Passes SparseTensors through a sequence queue, which holds their handles while the session stores the values."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.next_sequence_batch import NextQueuedSequenceBatch
from tinytf.python.ops.sparse_ops import add_many_sparse_to_tensors_map, take_many_sparse_from_tensors_map

_OF_CONTEXT = "_context_in_seq_"  # name prefix of sequences that carry a context


def is_sparse(value: Any) -> bool:
    """Whether a value is a SparseTensor or a SparseTensorValue."""
    return isinstance(value, (tf.SparseTensor, tf.SparseTensorValue))


def context_as_sequences(
    context: dict[str, Any], sequences: dict[str, Any], num_unroll: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Moves the SparseTensors of the context to the sequences, at the first time step of each segment.

    Returns the remaining context and the extended sequences.
    """
    length = tf.constant(1)
    for first in [*sequences.values()][:1]:
        if isinstance(first, tf.Tensor):
            with tf.control_dependencies([first]):
                length = tf.shape(first)[0]
        else:
            length = first.dense_shape[0]
    length = tf.cast(length, tf.int64)
    sparse = {key: value for key, value in sorted(context.items()) if is_sparse(value)}
    moved = {_OF_CONTEXT + key: _repeated(value, length, num_unroll) for key, value in sparse.items()}
    return {key: value for key, value in context.items() if key not in sparse}, {**sequences, **moved}


def _repeated(value: Any, length: tf.Tensor, num_unroll: int) -> tf.SparseTensor:
    """Returns a SparseTensor with a new first dimension of that length and the value at every `num_unroll`th index."""
    count = tf.cast(length // num_unroll, tf.int32)
    values = tf.tile(value.values, tf.expand_dims(count, 0))
    shape = tf.concat([tf.expand_dims(length, 0), value.dense_shape], 0)
    indices = tf.tile(tf.expand_dims(value.indices, 0), tf.stack([count, 1, 1]))
    rows, columns = tf.shape(value.indices)[0], tf.shape(value.indices)[1]
    places = tf.expand_dims(tf.range(start=0, limit=length, delta=num_unroll), 1)
    places = tf.tile(tf.expand_dims(places, 2), [1, rows, 1])
    indices = tf.reshape(tf.concat([places, indices], 2), [rows * count, columns + 1])
    return tf.SparseTensor(indices, values, shape)


def kept_in_session(sequences: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tf.Operation]]:
    """Replaces SparseTensors by handles of their rows; also returns the operations that store the values, by name."""
    sparse = {key: value for key, value in sorted(sequences.items()) if is_sparse(value)}
    handles = {key: add_many_sparse_to_tensors_map(value) for key, value in sparse.items()}
    return {**sequences, **handles}, {key: handle.op for key, handle in handles.items()}


def give_back(
    batch: NextQueuedSequenceBatch, keepers: dict[str, tf.Operation], batch_size: Any, num_unroll: int
) -> None:
    """Replaces the handles in a batch by SparseTensors, and moves context values back to the context."""
    if not keepers:
        return
    sequences, context = batch.sequences, batch.context
    taken = {
        key: take_many_sparse_from_tensors_map(op, tf.reshape(sequences[key], [-1])) for key, op in keepers.items()
    }
    steps = tf.convert_to_tensor(num_unroll, dtype=tf.int64, name="num_unroll_int64")
    for key, value in taken.items():
        sequences[key] = _by_segments(value, batch_size, steps)
    for key in sorted(key for key in sequences if key.startswith(_OF_CONTEXT)):
        context[key[len(_OF_CONTEXT) :]] = _without_time(sequences.pop(key))


def _by_segments(value: tf.SparseTensor, batch_size: Any, steps: tf.Tensor) -> tf.SparseTensor:
    """Reshapes a SparseTensor from rows of (segment, step) pairs to dimensions for segments and steps."""
    segment = tf.cast(tf.floor(value.indices[:, 0] / steps), tf.int64)
    step = tf.mod(value.indices[:, 0], steps)
    indices = tf.concat([tf.expand_dims(segment, 1), tf.expand_dims(step, 1), value.indices[:, 1:]], axis=1)
    sizes = [tf.cast(batch_size, tf.int64)], [tf.cast(steps, tf.int64)]
    return tf.SparseTensor(indices, value.values, tf.concat([*sizes, value.dense_shape[1:]], axis=0))


def _without_time(value: tf.SparseTensor) -> tf.SparseTensor:
    """Removes the time dimension of a SparseTensor that has values at the first step of segments only."""
    segments, rest = value.dense_shape[0], value.dense_shape[2:]
    value = tf.SparseTensor(value.indices, value.values, tf.concat([[segments], [1], rest], 0))
    return tf.sparse_reshape(value, tf.concat([[value.dense_shape[0]], value.dense_shape[2:]], 0))
