"""A batch of segments of sequences."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.checked_shapes import with_shape
from tinytf.python.framework.ops import colocate_with


class NextQueuedSequenceBatch:
    """A batch of segments, one of each of several sequences, as a `SequenceQueueingStateSaver` gives it: its `next_batch`.

    Tensors begin with a dimension for the segments, below called n.
    """

    def __init__(self, state_saver: Any) -> None:
        self._state_saver = state_saver

    @property
    def total_length(self) -> tf.Tensor:
        """The length of each whole sequence, without padding: int32 [n]."""
        return self._state_saver._received_total_length

    @property
    def length(self) -> tf.Tensor:
        """How many steps of each segment are no padding: int32 [n]."""
        return self._state_saver._received_length

    @property
    def batch_size(self) -> tf.Tensor:
        """How many segments there are, an int32 scalar: fewer than asked for only at the end of the input."""
        return self._state_saver._received_batch_size

    @property
    def insertion_index(self) -> tf.Tensor:
        """When each sequence came in, counted from -2**63, int64 [n]: those that came first are taken first."""
        return self._state_saver._received_indices

    @property
    def key(self) -> tf.Tensor:
        """Strings [n] such as `00001_of_00003:k`, of the second of three segments of the sequence whose key is `k`."""
        return self._state_saver._received_keys

    @property
    def next_key(self) -> tf.Tensor:
        """The key of the next segment of each sequence, `STOP:k` after the last one: strings [n]."""
        return self._state_saver._received_next_key

    @property
    def sequence(self) -> tf.Tensor:
        """The number of each segment in its sequence, from 0: int32 [n]."""
        return self._state_saver._received_sequence

    @property
    def sequence_count(self) -> tf.Tensor:
        """How many segments each sequence has: int32 [n]."""
        return self._state_saver._received_sequence_count

    @property
    def context(self) -> dict[str, Any]:
        """What belongs to the whole sequences: tensors [n, ...] by name."""
        return self._state_saver._received_context

    @property
    def sequences(self) -> dict[str, Any]:
        """The segments themselves: tensors [n, num_unroll, ...] by name."""
        return self._state_saver._received_sequences

    def state(self, state_name: str) -> tf.Tensor:
        """The state of each sequence, [n, ...]: the initial one, or what was saved after its segment before. KeyError for
        a state that was not declared."""
        return self._state_saver._received_states[state_name]

    def save_state(self, state_name: str, value: Any, name: str | None = None) -> tf.Operation:
        """The operation that saves the state of each sequence for its next segment. Segments come only if it is run, once for
        each batch and state.

        Args:
          state_name: KeyError for one that was not declared.
          value: a tensor of the shape and type of `state(state_name)`. Running it fails with InvalidArgumentError for others.
        """
        saver = self._state_saver
        if state_name not in saver._received_states:
            raise KeyError(f"state was not declared: {state_name}")
        with (
            tf.name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]),
            colocate_with(saver._capacity_queue.queue_ref),
        ):
            going_on = tf.reshape(tf.where_v2(tf.logical_not(saver._sequence_is_done)), [-1])
            keys = tf.gather(saver._received_next_key, going_on)
            shape = tf.identity(value, name=f"convert_{state_name}"), tf.shape(saver._received_states[state_name])
            states = tf.gather(with_shape(*shape), going_on)
            place = saver._place("state", state_name)
            return saver.barrier.insert_many(place, keys, states, name=f"BarrierInsertState_{state_name}")
