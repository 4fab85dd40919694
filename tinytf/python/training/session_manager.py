"""TensorFlow's path to the session manager."""

from tinytf.monitoring.session_manager import SessionManager

__all__ = ["SessionManager"]
