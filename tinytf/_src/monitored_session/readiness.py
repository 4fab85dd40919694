"""Checks whether a session's model is initialized."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging


def why_not_ready(op: Any, sess: Any, what: str) -> str | None:
    """Returns None if the model is ready, else the reason why not.

    `op` yields the names of uninitialized variables, or a number, which is ignored; None: always ready. If `op` raises
    a FailedPreconditionError about something uninitialized, its text is the reason; another one is logged with the
    prefix `what` and raised.
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
