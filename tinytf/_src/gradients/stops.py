"""Registers ops that are declared as not differentiable."""

from __future__ import annotations

from tinytf import _core
from tinytf._src.gradients.registry import stops_at

# Names that TensorFlow 1.15 leaves free: of ops on files and readers.
_FREE = frozenset(
    """
    EncodePng EncodeWav FixedLengthRecordReaderV2 IdentityReaderV2 MatchingFiles MergeV2Checkpoints ReadFile
    ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompletedV2 ReaderReadUpToV2 ReaderReadV2 ReaderResetV2
    ReaderRestoreStateV2 ReaderSerializeStateV2 Restore RestoreSlice RestoreV2 Save SaveSlices SaveV2 ShardedFilename
    ShardedFilespec TFRecordReaderV2 TextLineReaderV2 WholeFileReaderV2 WriteFile
    """.split()
)
# Ops at which gradients stop, as in TensorFlow 1.15, although their successors, such as QueueDequeueV2, are errors.
_OF_EARLY_OPS = """
    DeleteSessionTensor GetSessionHandle GetSessionTensor QueueClose QueueDequeue QueueDequeueMany QueueDequeueUpTo
    QueueEnqueue QueueEnqueueMany QueueSize
    """.split()

for _name in _core.op_names():
    _definition = _core.op_def(_name)
    if _definition is not None and _definition["gradient"] == "not_differentiable":
        stops_at(_name, free=_name in _FREE)
for _name in _OF_EARLY_OPS:
    stops_at(_name)
