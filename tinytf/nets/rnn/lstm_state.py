"""The state of LSTM cells."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.exports import tf_export
from tinytf.framework.dtypes import DType


class _State(NamedTuple):
    c: Any
    h: Any


@tf_export("nn.rnn_cell.LSTMStateTuple")
class LSTMStateTuple(_State):
    """What an LSTM cell remembers, `c`, and its last output, `h`: tensors, or their sizes."""

    __slots__ = ()

    @property
    def dtype(self) -> DType:
        """The type of both. TypeError if they differ."""
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


def warn_of_joined_state(cell: Any) -> None:
    """Says that states in one tensor are slow."""
    from tinytf.framework import tf_logging

    # As text: who keeps records of what is logged must not keep the cell.
    tf_logging.warn(
        f"{cell}: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."
    )
