"""`reset_default_session`: a new default eager session for the next test."""

from __future__ import annotations

from tinytf.eager.session import forget_default
from tinytf.exports import tf_export


@tf_export("test.reset_default_session")
def reset_default_session() -> None:
    """Closes the default eager session, if there is one; `EagerSession.init_default` may be called once more.

    For tests only: elsewhere the default session lasts as long as the process.
    """
    forget_default()
