"""TensorFlow's path to sessions."""

from tinytf._src.session.base_session import BaseSession
from tinytf._src.session.fetch import register_session_run_conversion_functions
from tinytf._src.session.interactive_session import InteractiveSession
from tinytf._src.session.session import Session

__all__ = ["BaseSession", "InteractiveSession", "Session", "register_session_run_conversion_functions"]
