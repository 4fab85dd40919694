"""TensorFlow's path to objects whose state is a string."""

from tinytf._src.checkpoint.objects.python_state import PythonState

__all__ = ["PythonState"]
