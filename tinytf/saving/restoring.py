"""What is told where a checkpoint does not fit the graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework import errors_impl


@contextmanager
def restore_errors_about(path: str) -> Iterator[None]:
    """Errors of restoring say what they mean for the program."""
    try:
        yield
    except errors_impl.NotFoundError as error:
        raise _explained(error, "a Variable name or other graph key that is missing") from None
    except errors_impl.InvalidArgumentError as error:
        raise _explained(error, "a mismatch between the current graph and the graph") from None


def _explained(error: errors_impl.OpError, cause: str) -> errors_impl.OpError:
    kind: Any = type(error)
    return kind(
        error.node_def,
        error.op,
        f"Restoring from checkpoint failed. This is most likely due to {cause} from the checkpoint. Please ensure that you "
        f"have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}",
    )
