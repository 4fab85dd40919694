"""TensorFlow's path to variable scopes, and to the stores of variables."""

from tinytf.variables.eager_store import EagerVariableStore as EagerVariableStore
from tinytf.variables.partitioners import PartitionInfo as _PartitionInfo  # noqa: F401
from tinytf.variables.scope import *  # noqa: F403
