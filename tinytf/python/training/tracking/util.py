"""TensorFlow's path to object-based checkpoints."""

from tinytf.saving.objects.added_variables import add_variable
from tinytf.saving.objects.checkpoint import Checkpoint
from tinytf.saving.objects.object_saver import TrackableSaver, gather_initializers, list_objects, object_metadata
from tinytf.saving.objects.status import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    NameBasedSaverStatus,
    streaming_restore,
)
from tinytf.variables.captured_dependencies import capture_dependencies

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
