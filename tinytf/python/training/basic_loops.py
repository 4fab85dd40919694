"""TensorFlow's path to the training loop of supervisors."""

from tinytf._src.monitored_session.supervisor import basic_train_loop

__all__ = ["basic_train_loop"]
