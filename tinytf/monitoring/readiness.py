"""Whether a session's model is ready, as an operation of the graph tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf.framework import errors_impl, tf_logging


def why_not_ready(op: Any, sess: Any, what: str) -> str | None:
    """None if the model is ready, else what it lacks.

    `op` gives the names of what has no value, or a number, which says nothing; without it the model is ready. Its
    FailedPreconditionError means something uninitialized; one that means anything else is raised, and logged as `what`.
    """
    if op is None:
        return None
    try:
        value = sess.run(op)
    except errors_impl.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            tf_logging.warning("%s : error [%s]", what, str(error))
            raise
        return str(error)
    if value is None or getattr(value, "dtype", None) == np.int32 or np.size(value) == 0:
        return None
    return "Variables not initialized: " + ", ".join(name.decode("utf-8") for name in np.ravel(value).tolist())
