"""Ops without a row in the op table, with the reason, which says where they are tested. Ops on queues and other
stateful objects have rows of another kind (`state_rows.py`).
"""

from tinytf import _core

_REASONS = {
    "the value comes from outside (tests/session)": "Placeholder PlaceholderV2 Const",
    "no value, or an effect outside the graph (tests/session)": "Print PrintV2 Assert NoOp ControlTrigger",
    "texts and bytes of formats of their own (test_parsing_ops.py)": "ParseExample ParseSingleExample "
    "ParseSequenceExample ParseSingleSequenceExample DecodeRaw DecodePaddedRaw DecodeCSV DecodeCompressed ParseTensor "
    "SerializeTensor StringToNumber EncodeBase64 DecodeBase64 Substr StringSplit StringSplitV2",
    "lists of which each first part belongs to a last one (tests/measures/set_programs.txt)": "SparseConcat",
    "texts of a format of its own (test_json_examples.py)": "DecodeJSONExample",
    "indices in any order, which must not repeat (test_sparse_order.py)": "SparseReorder",
    "what runs is their subject (tests/session/test_dead_tensors.py, test_frames.py)": "Switch RefSwitch Merge RefMerge "
    "Enter RefEnter Exit RefExit NextIteration RefNextIteration LoopCond RefSelect",
    "a variable is its subject (test_state_ops.py)": "Variable VariableV2 VarHandleOp Assign AssignAdd AssignSub "
    "IsVariableInitialized RefIdentity VarIsInitializedOp CountUpTo ReadVariableOp VariableShape StridedSliceAssign "
    "ResourceCountUpTo ZeroInitializer ZeroVarInitializer "
    "ResourceGather ResourceGatherNd",
    "drawn numbers have no reference but the generator's (tests/cpp/test_ops_random.cc)": "RandomUniform "
    "RandomUniformInt RandomStandardNormal TruncatedNormal RandomGamma Multinomial RandomShuffle StatelessRandomUniform "
    "StatelessRandomUniformInt StatelessRandomNormal StatelessTruncatedNormal StatelessMultinomial",
    "text made of tensors of any types (test_print.py)": "StringFormat",
    "all shapes must be known (test_parallel_concat.py)": "ParallelConcat",
    "the session's store is its subject (tests/session/test_session_handles.py)": "GetSessionHandle GetSessionTensor "
    "DeleteSessionTensor",
    "drawn numbers (test_random_poisson.py)": "RandomPoissonV2",
    "a Python function is its subject (test_py_func_values.py, tests/session/test_py_func_*.py)": "PyFunc "
    "PyFuncStateless EagerPyFunc",
    "functions of graphs are their subject (tests/graphs/test_functions.py, tests/cpp/test_subgraph_inline.cc)": ""
    "PartitionedCall StatefulPartitionedCall",
    "gradients of functions are its subject (tests/graphs/test_defined_functions.py)": "SymbolicGradient",
    "no value, but the end of the process (tests/session/test_abort.py)": "Abort",
    "branches and loops of functions are their subject (tests/graphs/test_v2_control_flow.py, test_functions_in_kernels.py, "
    "tests/cpp/test_inliner.cc)": "If StatelessIf Case StatelessCase While StatelessWhile FakeParam ToBool",
    "optional values (test_optional.py)": "OptionalFromValue OptionalNone OptionalHasValue OptionalGetValue",
    "queues of early graphs are their subject (tests/graphs/test_early_queues.py)": "PaddingFIFOQueue PriorityQueue "
    "RandomShuffleQueue FakeQueue",
    "SparseTensors as messages (tests/queues)": "SerializeSparse SerializeManySparse DeserializeSparse "
    "DeserializeManySparse",
    "a reader is its subject (tests/io/test_readers.py, tests/graphs/test_early_queues.py)": "TextLineReader "
    "WholeFileReader FixedLengthRecordReader IdentityReader TFRecordReader ReaderRead ReaderReadUpTo "
    "ReaderNumRecordsProduced ReaderNumWorkUnitsCompleted ReaderSerializeState ReaderRestoreState ReaderReset "
    "TextLineReaderV2 WholeFileReaderV2 FixedLengthRecordReaderV2 IdentityReaderV2 TFRecordReaderV2 ReaderReadV2 "
    "ReaderReadUpToV2 ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompletedV2 ReaderSerializeStateV2 "
    "ReaderRestoreStateV2 ReaderResetV2",
    "files are its subject (tests/queues/test_record_input.py)": "RecordInput",
    "arrays and stacks of steps are their subject (test_tensor_array_ops.py, tests/cpp/test_tensor_array.cc)": ""
    "TensorArrayV3 TensorArrayGradV3 TensorArrayGradWithShape TensorArrayWriteV3 TensorArrayReadV3 TensorArrayGatherV3 "
    "TensorArrayScatterV3 TensorArrayConcatV3 TensorArraySplitV3 TensorArraySizeV3 TensorArrayCloseV3 "
    "StackV2 StackPushV2 StackPopV2 StackCloseV2",
    "handles of early graphs, to arrays and stacks of steps, are their subject (tests/graphs/test_early_arrays.py, "
    "tests/cpp/test_step_handle.cc)": "Stack StackPush StackPop StackClose TensorArray TensorArrayGrad TensorArrayWrite "
    "TensorArrayRead TensorArrayGather TensorArrayScatter TensorArrayPack TensorArrayUnpack TensorArrayConcat "
    "TensorArraySplit TensorArraySize TensorArrayClose TensorArrayV2 TensorArrayGradV2 TensorArrayWriteV2 "
    "TensorArrayReadV2 TensorArrayGatherV2 TensorArrayScatterV2 TensorArrayConcatV2 TensorArraySplitV2 "
    "TensorArraySizeV2 TensorArrayCloseV2",
    "checkpoints and files are their subject (tests/io, tests/interop)": "SaveV2 RestoreV2 Save SaveSlices Restore "
    "RestoreSlice MergeV2Checkpoints ShardedFilename ShardedFilespec ReadFile WriteFile MatchingFiles",
    "vocabularies and a checkpoint are their subject (test_remapped_matrices.py)": "GenerateVocabRemapping "
    "LoadAndRemapMatrix",
    "lists are their subject (test_tensor_list_ops.py, test_tensor_list_sequences.py, tests/cpp/test_tensor_list.cc)": ""
    "EmptyTensorList TensorListReserve TensorListPushBack TensorListPushBackBatch TensorListPopBack TensorListLength "
    "TensorListElementShape TensorListGetItem TensorListSetItem TensorListResize TensorListStack TensorListFromTensor "
    "TensorListGather TensorListScatter TensorListScatterV2 TensorListScatterIntoExistingList TensorListConcat "
    "TensorListConcatV2 TensorListSplit TensorListConcatLists",
    "messages made of tensors of any types (test_summary_ops.py)": "ScalarSummary HistogramSummary ImageSummary "
    "AudioSummary AudioSummaryV2 TensorSummary TensorSummaryV2 MergeSummary",
    "graphs have it no more, but for early GraphDefs; the kernel is TopKV2's (tests/graphs/test_early_ops.py)": "TopK",
    "files made of tensors (test_encoded_files.py)": "EncodePng EncodeWav",
    "files of events are their subject (tests/events/test_step_events.py)": "SummaryWriter CreateSummaryFileWriter "
    "FlushSummaryWriter CloseSummaryWriter WriteScalarSummary WriteHistogramSummary WriteImageSummary WriteAudioSummary "
    "WriteSummary WriteGraphSummary WriteRawProtoSummary ImportEvent",
}

WITHOUT_ROW = {op: reason for reason, ops in _REASONS.items() for op in ops.split()}
for _op in _core.op_names():
    if _op.startswith(("Apply", "SparseApply")):
        WITHOUT_ROW[_op] = "updates a variable (tests/cpp/test_ops_training.cc)"
    elif _op.startswith("Scatter") and _op != "ScatterNd":
        WITHOUT_ROW[_op] = "updates a variable (test_state_ops.py)"
