"""TensorFlow's path to variable scopes and variable stores."""

from tinytf.python.paths import other_names as _other_names
from tinytf.variables.eager_store import EagerVariableStore as EagerVariableStore
from tinytf.variables.partitioners import PartitionInfo as _PartitionInfo  # noqa: F401
from tinytf.variables.scope import *  # noqa: F403

__getattr__ = _other_names(globals())
