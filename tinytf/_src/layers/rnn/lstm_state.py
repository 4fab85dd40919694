"""The state of LSTM cells."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.exports import tf_export
from tinytf._src.framework.values.dtypes import DType


class _State(NamedTuple):
    c: Any
    h: Any


@tf_export("nn.rnn_cell.LSTMStateTuple")
class LSTMStateTuple(_State):
    """The state of an LSTM cell: the cell state `c` and the last output `h`, as tensors or as their sizes."""

    __slots__ = ()

    @property
    def dtype(self) -> DType:
        """The dtype of both tensors. Raises TypeError if they differ."""
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


def warn_of_joined_state(cell: Any) -> None:
    """Logs a warning that states in one concatenated tensor are slow."""
    from tinytf._src.framework.logs import tf_logging

    # Formats the message at once, so that a log handler that keeps records does not keep the cell alive.
    tf_logging.warn(
        f"{cell}: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."
    )
