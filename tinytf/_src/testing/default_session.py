"""`reset_default_session`: lets the next test start without a default eager session."""

from __future__ import annotations

from tinytf._src.eager.session import forget_default
from tinytf._src.exports import tf_export


@tf_export("test.reset_default_session")
def reset_default_session() -> None:
    """Closes the default eager session, if there is one, so that `EagerSession.init_default` may be called again.

    For tests only: outside tests the default session lives as long as the process.
    """
    forget_default()
