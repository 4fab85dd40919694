"""TensorFlow's path to supervisors."""

from tinytf.monitoring.supervisor import Supervisor

__all__ = ["Supervisor"]
