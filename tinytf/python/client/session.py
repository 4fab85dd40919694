"""TensorFlow's path to sessions."""

from tinytf.client.base_session import BaseSession
from tinytf.client.fetch import register_session_run_conversion_functions
from tinytf.client.interactive_session import InteractiveSession
from tinytf.client.session import Session

__all__ = ["BaseSession", "InteractiveSession", "Session", "register_session_run_conversion_functions"]
