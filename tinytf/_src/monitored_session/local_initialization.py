"""The initialization of a session's local variables, and the test whether its model is ready."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.readiness import why_not_ready
from tinytf._src.session.session import Session


class LocalInitialization:
    """Initializes local variables by `op`, in sessions whose global variables are initialized.

    `op`: None: there is nothing to do. `ready_op`: tensor with the names of the uninitialized variables that `op` needs,
    or None. `options`, `feed_dict`: of the run of `op`.
    """

    def __init__(self, op: Any, ready_op: Any, options: Any, feed_dict: Any) -> None:
        if ready_op is not None and op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , ready_for_local_init_op "
                f"[{ready_op}]"
            )
        self.op = op
        self._ready_op = ready_op
        self._options = options
        self._feed_dict = feed_dict

    def run(self, sess: Session) -> str | None:
        """Runs `op` if the model is ready for it; returns the reason why not, or None."""
        if self.op is None:
            return None
        missing = why_not_ready(self._ready_op, sess, "Model not ready for local init")
        if missing is None:
            tf_logging.info("Running local_init_op.")
            sess.run(self.op, feed_dict=self._feed_dict, options=self._options)
            tf_logging.info("Done running local_init_op.")
        return missing
