"""Control flow as far as it is about order and assertions."""

from tinytf.ops.control_flow import dependencies
from tinytf.ops.control_flow.dependencies import *  # noqa: F403
from tinytf.ops.logging.logging_ops import Assert as Assert

__all__ = ["Assert"]
__all__ += dependencies.__all__
