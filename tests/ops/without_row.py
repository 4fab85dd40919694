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
    "files are its subject": "RecordInput",
    "messages made of tensors of any types": ""
    "ScalarSummary HistogramSummary ImageSummary AudioSummary AudioSummaryV2 "
    "TensorSummary TensorSummaryV2 MergeSummary",
    "graphs have it no more, but for early GraphDefs; the kernel is TopKV2's": "TopK",
    "files made of tensors": "EncodePng EncodeWav",
}

WITHOUT_ROW = {op: reason for reason, ops in _REASONS.items() for op in ops.split()}
