"""Ops without a row in the op table, with the reason, which says where they are tested. Ops on queues and other
stateful objects have rows of another kind (`state_rows.py`).
"""

_REASONS = {
    "the value comes from outside": "Placeholder PlaceholderV2 Const",
    "no value, or an effect outside the graph": "Print PrintV2 Assert NoOp ControlTrigger",
    "lists of which each first part belongs to a last one": "SparseConcat",
    "indices in any order, which must not repeat": "SparseReorder",
    "what runs is their subject": ""
    "Switch RefSwitch Merge RefMerge Enter RefEnter Exit RefExit NextIteration "
    "RefNextIteration LoopCond RefSelect",
    "drawn numbers have no reference but the generator's": ""
    "RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal RandomGamma "
    "Multinomial RandomShuffle StatelessRandomUniform StatelessRandomUniformInt "
    "StatelessRandomNormal StatelessTruncatedNormal StatelessMultinomial",
    "all shapes must be known": "ParallelConcat",
    "the session's store is its subject": "GetSessionHandle GetSessionTensor DeleteSessionTensor",
    "drawn numbers": "RandomPoissonV2",
    "a Python function is its subject": "PyFunc PyFuncStateless EagerPyFunc",
    "functions of graphs are their subject": "PartitionedCall StatefulPartitionedCall",
    "gradients of functions are its subject": "SymbolicGradient",
    "no value, but the end of the process": "Abort",
    "branches and loops are their subject": "If StatelessIf Case StatelessCase While StatelessWhile FakeParam ToBool",
    "queues of early graphs are their subject": "PaddingFIFOQueue PriorityQueue RandomShuffleQueue FakeQueue",
    "a reader is its subject": ""
    "TextLineReader WholeFileReader FixedLengthRecordReader IdentityReader "
    "TFRecordReader ReaderRead ReaderReadUpTo ReaderNumRecordsProduced "
    "ReaderNumWorkUnitsCompleted ReaderSerializeState ReaderRestoreState ReaderReset "
    "TextLineReaderV2 WholeFileReaderV2 FixedLengthRecordReaderV2 IdentityReaderV2 "
    "TFRecordReaderV2 ReaderReadV2 ReaderReadUpToV2 ReaderNumRecordsProducedV2 "
    "ReaderNumWorkUnitsCompletedV2 ReaderSerializeStateV2 ReaderRestoreStateV2 "
    "ReaderResetV2",
    "files are its subject": "RecordInput",
    "checkpoints and files are their subject": ""
    "SaveV2 RestoreV2 Save SaveSlices Restore RestoreSlice MergeV2Checkpoints "
    "ReadFile WriteFile MatchingFiles",
    "vocabularies and a checkpoint are their subject": "GenerateVocabRemapping LoadAndRemapMatrix",
    "messages made of tensors of any types": ""
    "ScalarSummary HistogramSummary ImageSummary AudioSummary AudioSummaryV2 "
    "TensorSummary TensorSummaryV2 MergeSummary",
    "graphs have it no more, but for early GraphDefs; the kernel is TopKV2's": "TopK",
    "files made of tensors": "EncodePng EncodeWav",
    "files of events are their subject": ""
    "SummaryWriter CreateSummaryFileWriter FlushSummaryWriter CloseSummaryWriter "
    "WriteScalarSummary WriteHistogramSummary WriteImageSummary WriteAudioSummary "
    "WriteSummary WriteGraphSummary WriteRawProtoSummary ImportEvent",
}

WITHOUT_ROW = {op: reason for reason, ops in _REASONS.items() for op in ops.split()}
