"""TensorFlow's path to supervisors."""

from tinytf._src.monitored_session.supervisor import Supervisor

__all__ = ["Supervisor"]
