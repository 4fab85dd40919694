"""TensorFlow's path to the coordinator."""

from tinytf._src.training.coordinator import Coordinator
from tinytf._src.training.looper_thread import LooperThread

__all__ = ["Coordinator", "LooperThread"]
