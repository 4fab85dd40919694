"""TensorFlow's path to variable scopes and variable stores."""

from tinytf._src.variables.eager_store import EagerVariableStore as EagerVariableStore
from tinytf._src.variables.partitioners import PartitionInfo as _PartitionInfo  # noqa: F401
from tinytf._src.variables.scope import *  # noqa: F403
from tinytf.python.paths import other_names as _other_names

__getattr__ = _other_names(globals())
