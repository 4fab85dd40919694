"""TensorFlow's path to objects whose state is a string."""

from tinytf.saving.objects.python_state import PythonState

__all__ = ["PythonState"]
