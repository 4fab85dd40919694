"""TensorFlow's path to the base classes of trackable objects."""

from tinytf._src.checkpoint.object_checkpoints import OBJECT_GRAPH_KEY as OBJECT_GRAPH_PROTO_KEY
from tinytf._src.checkpoint.objects.python_state import NoRestoreSaveable
from tinytf._src.checkpoint.objects.python_state import PythonStateSaveable as PythonStringStateSaveable
from tinytf._src.framework.resources.trackable import (
    VARIABLE_VALUE as VARIABLE_VALUE_KEY,
)
from tinytf._src.framework.resources.trackable import (
    CheckpointInitialValue,
    Trackable,
    TrackableReference,
    no_automatic_dependency_tracking,
)

__all__ = [
    "OBJECT_GRAPH_PROTO_KEY",
    "VARIABLE_VALUE_KEY",
    "CheckpointInitialValue",
    "NoRestoreSaveable",
    "PythonStringStateSaveable",
    "Trackable",
    "TrackableReference",
    "no_automatic_dependency_tracking",
]
