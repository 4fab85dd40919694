"""TensorFlow's path to the session manager."""

from tinytf._src.monitored_session.session_manager import SessionManager

__all__ = ["SessionManager"]
