"""TensorFlow's path to object-based checkpoints."""

from tinytf._src.checkpoint.objects.added_variables import add_variable
from tinytf._src.checkpoint.objects.checkpoint import Checkpoint
from tinytf._src.checkpoint.objects.object_saver import (
    TrackableSaver,
    gather_initializers,
    list_objects,
    object_metadata,
)
from tinytf._src.checkpoint.objects.status import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    NameBasedSaverStatus,
    streaming_restore,
)
from tinytf._src.variables.captured_dependencies import capture_dependencies

CheckpointV1 = Checkpoint

__all__ = [
    "Checkpoint",
    "CheckpointLoadStatus",
    "CheckpointV1",
    "InitializationOnlyStatus",
    "NameBasedSaverStatus",
    "TrackableSaver",
    "add_variable",
    "capture_dependencies",
    "gather_initializers",
    "list_objects",
    "object_metadata",
    "streaming_restore",
]
