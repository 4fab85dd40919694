"""TensorFlow's path to the coordinator."""

from tinytf.training.coordinator import Coordinator
from tinytf.training.looper_thread import LooperThread

__all__ = ["Coordinator", "LooperThread"]
