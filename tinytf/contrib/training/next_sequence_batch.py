"""`NextQueuedSequenceBatch`: a batch of sequence segments."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.checked_shapes import with_shape
from tinytf.python.framework.ops import colocate_with


class NextQueuedSequenceBatch:
    """A batch of segments of different sequences, the `next_batch` of a `SequenceQueueingStateSaver`.

    The first dimension of its tensors is the number of segments, called n below.
    """

    def __init__(self, state_saver: Any) -> None:
        self._state_saver = state_saver

    @property
    def total_length(self) -> tf.Tensor:
        """The length of each whole sequence without padding: int32 [n]."""
        return self._state_saver._received.total_length

    @property
    def length(self) -> tf.Tensor:
        """The number of time steps of each segment without padding: int32 [n]."""
        return self._state_saver._received.length

    @property
    def batch_size(self) -> tf.Tensor:
        """The number of segments, an int32 scalar; smaller than requested only at the end of the input."""
        return self._state_saver._received.batch_size

    @property
    def insertion_index(self) -> tf.Tensor:
        """The insertion number of each sequence, counted from -2**63, int64 [n]; sequences inserted earlier are taken
        first."""
        return self._state_saver._received.indices

    @property
    def key(self) -> tf.Tensor:
        """The key of each segment, strings [n]; `00001_of_00003:k` is the second of three segments of the sequence with
        key `k`."""
        return self._state_saver._received.keys

    @property
    def next_key(self) -> tf.Tensor:
        """The key of the next segment of each sequence, `STOP:k` after the last one: strings [n]."""
        return self._state_saver._received.next_key

    @property
    def sequence(self) -> tf.Tensor:
        """The index of each segment within its sequence: int32 [n]."""
        return self._state_saver._received.sequence

    @property
    def sequence_count(self) -> tf.Tensor:
        """The number of segments of each sequence: int32 [n]."""
        return self._state_saver._received.sequence_count

    @property
    def context(self) -> dict[str, Any]:
        """The tensors that belong to whole sequences: a dict of tensors [n, ...]."""
        return self._state_saver._received.context

    @property
    def sequences(self) -> dict[str, Any]:
        """The segments: a dict of tensors [n, num_unroll, ...]."""
        return self._state_saver._received.sequences

    def state(self, state_name: str) -> tf.Tensor:
        """Returns the state of each sequence, [n, ...]: the initial one, or the one saved after the preceding segment.

        Raises:
          KeyError: if the state was not declared.
        """
        return self._state_saver._received.states[state_name]

    def save_state(self, state_name: str, value: Any, name: str | None = None) -> tf.Operation:
        """Returns the operation that saves the state of each sequence for its next segment.

        It must run once for each batch and state; until then the next segments are not ready.

        Args:
          state_name: string, name of a declared state.
          value: tensor of the shape and dtype of `state(state_name)`; another shape fails with InvalidArgumentError.
          name: string, name of the operation.

        Returns:
          A `tf.Operation`.

        Raises:
          KeyError: if the state was not declared.
        """
        saver = self._state_saver
        received = saver._received
        if state_name not in received.states:
            raise KeyError(f"state was not declared: {state_name}")
        with (
            tf.name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]),
            colocate_with(saver._capacity_queue.queue_ref),
        ):
            going_on = tf.reshape(tf.where_v2(tf.logical_not(received.is_last)), [-1])
            keys = tf.gather(received.next_key, going_on)
            shape = tf.identity(value, name=f"convert_{state_name}"), tf.shape(received.states[state_name])
            states = tf.gather(with_shape(*shape), going_on)
            return saver._segments.insert(("state", state_name), keys, states, f"InsertState_{state_name}")
