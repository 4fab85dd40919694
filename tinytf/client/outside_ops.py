"""Which ops look at the world outside of a step, and which change it: what a replay can not, and must not, do again."""

from __future__ import annotations

# Nodes whose outputs come from elsewhere than their inputs, variables and random generators: queues, readers, tables,
# iterators, the session's store, the program itself, the clock.
READING_OPS = frozenset(
    (
        "AccumulatorNumAccumulated AccumulatorTakeGradient BarrierIncompleteSize BarrierReadySize BarrierTakeMany "
        "EagerPyFunc GetSessionHandle GetSessionHandleV2 GetSessionTensor IteratorGetNext IteratorGetNextSync "
        "LookupTableExport LookupTableExportV2 LookupTableFind LookupTableFindV2 LookupTableSize LookupTableSizeV2 "
        "MapIncompleteSize MapPeek MapSize MapUnstage MapUnstageNoKey MatchingFiles OrderedMapIncompleteSize "
        "OrderedMapPeek OrderedMapSize OrderedMapUnstage OrderedMapUnstageNoKey PyFunc PyFuncStateless QueueDequeue "
        "QueueDequeueMany QueueDequeueManyV2 QueueDequeueUpTo QueueDequeueUpToV2 QueueDequeueV2 QueueIsClosed "
        "QueueIsClosedV2 QueueSize QueueSizeV2 ReadFile ReaderNumRecordsProduced ReaderNumRecordsProducedV2 "
        "ReaderNumWorkUnitsCompleted ReaderNumWorkUnitsCompletedV2 ReaderRead ReaderReadUpTo ReaderReadUpToV2 "
        "ReaderReadV2 ReaderSerializeState ReaderSerializeStateV2 Restore RestoreSlice RestoreV2 "
        "SparseAccumulatorTakeGradient StagePeek StageSize TakeManySparseFromTensorsMap Timestamp Unstage"
    ).split()
)

# Nodes without outputs that change something other than variables.
WRITING_OPS = frozenset(
    (
        "AccumulatorApplyGradient AccumulatorSetGlobalStep BarrierClose BarrierInsertMany CloseSummaryWriter "
        "DeleteSessionTensor FlushSummaryWriter InitializeTable InitializeTableFromTextFile "
        "InitializeTableFromTextFileV2 InitializeTableV2 LookupTableImport LookupTableImportV2 LookupTableInsert "
        "LookupTableInsertV2 LookupTableRemoveV2 MakeIterator MapClear MapStage MergeV2Checkpoints OrderedMapClear "
        "OrderedMapStage QueueClose QueueCloseV2 QueueEnqueue QueueEnqueueMany QueueEnqueueManyV2 QueueEnqueueV2 "
        "ReaderReset ReaderResetV2 ReaderRestoreState ReaderRestoreStateV2 Save SaveSlices SaveV2 "
        "SparseAccumulatorApplyGradient Stage StageClear WriteAudioSummary WriteFile WriteGraphSummary "
        "WriteHistogramSummary WriteImageSummary WriteRawProtoSummary WriteScalarSummary WriteSummary"
    ).split()
)

# Nodes that call the program, which may run further steps.
CALLING_OPS = frozenset(("EagerPyFunc", "PyFunc", "PyFuncStateless"))
