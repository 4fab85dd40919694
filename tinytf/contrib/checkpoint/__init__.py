"""`tf.contrib.checkpoint`: utilities for object-based checkpoints, in addition to `tf.train.Checkpoint`."""

import tinytf as tf
from tinytf._src.protos import TrackableObjectGraph as CheckpointableObjectGraph
from tinytf.contrib.checkpoint.numpy_state import NumpyState
from tinytf.contrib.checkpoint.split_dependency import split_dependency
from tinytf.contrib.checkpoint.unique_names import UniqueNameTracker
from tinytf.contrib.checkpoint.visualize import dot_graph_from_checkpoint
from tinytf.python.missing import no_other_names
from tinytf.python.training.tracking.base import Trackable as CheckpointableBase
from tinytf.python.training.tracking.data_structures import List, Mapping, NoDependency
from tinytf.python.training.tracking.python_state import PythonState as PythonStateWrapper
from tinytf.python.training.tracking.tracking import AutoTrackable as Checkpointable
from tinytf.python.training.tracking.util import capture_dependencies, list_objects, object_metadata

CheckpointManager = tf.train.CheckpointManager

__all__ = [
    "CheckpointManager",
    "Checkpointable",
    "CheckpointableBase",
    "CheckpointableObjectGraph",
    "List",
    "Mapping",
    "NoDependency",
    "NumpyState",
    "PythonStateWrapper",
    "UniqueNameTracker",
    "capture_dependencies",
    "dot_graph_from_checkpoint",
    "list_objects",
    "object_metadata",
    "split_dependency",
]
__getattr__ = no_other_names(__name__)
