"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.data_flow_ops import _BarrierTakeManyOutputs, _MapUnstageNoKeyOutputs, _OrderedMapUnstageNoKeyOutputs, _SparseAccumulatorTakeGradientOutputs, _TensorArrayConcatOutputs, _TensorArrayConcatV2Outputs, _TensorArrayConcatV3Outputs, _TensorArrayGradV3Outputs, _TensorArrayGradWithShapeOutputs, _TensorArrayV3Outputs, _TensorListConcatOutputs, _TensorListConcatV2Outputs, _TensorListPopBackOutputs

def AccumulatorApplyGradient(*, handle: RefLike, local_step: TensorLike, gradient: TensorLike, name: str | None = None) -> Operation:
    """Adds a gradient, or drops it if the step for which it was computed is before the accumulator's."""

def AccumulatorNumAccumulated(*, handle: RefLike, name: str | None = None) -> Tensor:
    """How many gradients have been added up."""

def AccumulatorSetGlobalStep(*, handle: RefLike, new_global_step: TensorLike, name: str | None = None) -> Operation:
    """Sets the accumulator's step."""

def AccumulatorTakeGradient(*, handle: RefLike, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Takes what came of the gradients, waiting until there are `num_required` of them; the accumulator is empty then, and its step one more."""

def Barrier(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a place where elements, each under a key, are put together from components that come one by one."""

def BarrierClose(*, handle: RefLike, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the barrier: new keys are refused, and so are components of those that are incomplete if they are to be cancelled."""

def BarrierIncompleteSize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """How many elements lack components."""

def BarrierInsertMany(*, handle: RefLike, keys: TensorLike, values: TensorLike, component_index: int, name: str | None = None) -> Operation:
    """Makes each row of `values` a component of the element of its key. InvalidArgument, and nothing is changed, if an element has that component. Cancelled for new keys if the barrier is closed."""

def BarrierReadySize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """How many elements are complete."""

def BarrierTakeMany(*, handle: RefLike, num_elements: TensorLike, component_types: Sequence[DTypeLike], allow_small_batch: bool | None = False, wait_for_incomplete: bool | None = False, timeout_ms: int | None = -1, name: str | None = None) -> _BarrierTakeManyOutputs:
    """Takes complete elements, waiting until there are as many. Those come first whose first component came in first; `indices` says with which insertion, counted from -2^63. If `allow_small_batch`, it makes do with those that are there, one at least, when the barrier is closed."""

def ConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Handle to a place where gradients of one shape are added up until enough of them are there: their mean, or sum, is then taken."""

def DeleteSessionTensor(*, handle: TensorLike, name: str | None = None) -> Operation:
    """Drops the tensor that the session keeps under `handle`. InvalidArgument if there is none."""

def DynamicPartition(*, data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """Output p holds, in order, the slices `data[i]` with `partitions[i]` = p."""

def DynamicStitch(*, indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """merged[indices[m][i]] = data[m][i]; where an index occurs twice the last one wins."""

def EmptyTensorList(*, element_shape: TensorLike, max_num_elements: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """A list of no tensors, to which at most `max_num_elements` are pushed, or any number if that is -1. Of their shapes `element_shape` is known: -1 in it is any size, and -1 instead of it any shape."""

def FIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields elements in the order in which they came. `shapes`, if given, are the fully defined shapes of an element's components; a negative `capacity` sets no bound."""

def FIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields elements in the order in which they came. `shapes`, if given, are the fully defined shapes of an element's components; a negative `capacity` sets no bound."""

def FakeQueue(*, resource: Tensor, name: str | None = None) -> Tensor:
    """The handle that ops of early graphs take, of a queue that a resource refers to."""

def GetSessionHandle(*, value: TensorLike, name: str | None = None) -> Tensor:
    """Keeps `value` in the session until it is deleted or the session closes; yields the handle to it."""

def GetSessionTensor(*, handle: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor that the session keeps under `handle`. InvalidArgument if there is none."""

def MapClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging map of that name."""

def MapIncompleteSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """How many tuples of the staging map of that name lack components that have not come yet."""

def MapPeek(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Components of the tuple of a key, which stay in the staging map of that name, waiting for the whole tuple."""

def MapSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """How many whole tuples came into the staging map of that name and have not left it altogether."""

def MapStage(*, key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts components `indices` of the tuple of a key into the staging map of that name, waiting for room: there are at most `capacity` whole tuples and `memory_limit` bytes, or any number where that is 0."""

def MapUnstage(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes components of the tuple of a key out of the staging map of that name, waiting for the whole tuple."""

def MapUnstageNoKey(*, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _MapUnstageNoKeyOutputs:
    """Takes components of the tuple of the least key out of the staging map of that name, waiting for a tuple."""

def OrderedMapClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging map of that name."""

def OrderedMapIncompleteSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """How many tuples of the staging map of that name lack components that have not come yet."""

def OrderedMapPeek(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Components of the tuple of a key, which stay in the staging map of that name, waiting for the whole tuple."""

def OrderedMapSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """How many whole tuples came into the staging map of that name and have not left it altogether."""

def OrderedMapStage(*, key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts components `indices` of the tuple of a key into the staging map of that name, waiting for room: there are at most `capacity` whole tuples and `memory_limit` bytes, or any number where that is 0."""

def OrderedMapUnstage(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes components of the tuple of a key out of the staging map of that name, waiting for the whole tuple."""

def OrderedMapUnstageNoKey(*, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _OrderedMapUnstageNoKeyOutputs:
    """Takes components of the tuple of the least key out of the staging map of that name, waiting for a tuple."""

def PaddingFIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields elements in the order in which they came. `shapes` may leave sizes open, but no ranks: where elements of a batch differ in size they are padded at the end with zeros or empty strings. A negative `capacity` sets no bound."""

def PaddingFIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields elements in the order in which they came. `shapes` may leave sizes open, but no ranks: where elements of a batch differ in size they are padded at the end with zeros or empty strings. A negative `capacity` sets no bound."""

def ParallelDynamicStitch(*, indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """merged[indices[m][i]] = data[m][i]; where an index occurs twice the last one wins."""

def PriorityQueue(*, shapes: Sequence[ShapeLike], component_types: Sequence[DTypeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields the element of the least priority first. Elements have a component more than `component_types` and `shapes` say, the first: the priority, an int64 scalar. A negative `capacity` sets no bound."""

def PriorityQueueV2(*, shapes: Sequence[ShapeLike], component_types: Sequence[DTypeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields the element of the least priority first. Elements have a component more than `component_types` and `shapes` say, the first: the priority, an int64 scalar. A negative `capacity` sets no bound."""

def QueueClose(*, handle: RefLike, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the queue: later enqueues fail, dequeues go on while there are enough elements. Waits for pending enqueues, or cancels them. Cancelled if the queue is closed already and nothing is to be cancelled."""

def QueueCloseV2(*, handle: Tensor, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the queue: later enqueues fail, dequeues go on while there are enough elements. Waits for pending enqueues, or cancels them. Cancelled if the queue is closed already and nothing is to be cancelled."""

def QueueDequeue(*, handle: RefLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next element, waiting for one. OutOfRange if the queue is closed and empty."""

def QueueDequeueMany(*, handle: RefLike, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements as they come, joined along a new first dimension. The queue must have been declared with shapes. OutOfRange, and nothing is taken, if the queue is closed and has fewer."""

def QueueDequeueManyV2(*, handle: Tensor, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements as they come, joined along a new first dimension. The queue must have been declared with shapes. OutOfRange, and nothing is taken, if the queue is closed and has fewer."""

def QueueDequeueUpTo(*, handle: RefLike, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements as the op for a given number does, but makes do with those that are left, one at least, when the queue is closed."""

def QueueDequeueUpToV2(*, handle: Tensor, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements as the op for a given number does, but makes do with those that are left, one at least, when the queue is closed."""

def QueueDequeueV2(*, handle: Tensor, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next element, waiting for one. OutOfRange if the queue is closed and empty."""

def QueueEnqueue(*, handle: RefLike, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Puts one element into the queue, waiting for room. The components must have the queue's types and shapes. Cancelled if the queue is closed."""

def QueueEnqueueMany(*, handle: RefLike, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Puts each row of the components into the queue as an element, as room comes up. All components must have the same first dimension. Cancelled if the queue is closed."""

def QueueEnqueueManyV2(*, handle: Tensor, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Puts each row of the components into the queue as an element, as room comes up. All components must have the same first dimension. Cancelled if the queue is closed."""

def QueueEnqueueV2(*, handle: Tensor, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Puts one element into the queue, waiting for room. The components must have the queue's types and shapes. Cancelled if the queue is closed."""

def QueueIsClosed(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Whether the queue is closed."""

def QueueIsClosedV2(*, handle: Tensor, name: str | None = None) -> Tensor:
    """Whether the queue is closed."""

def QueueSize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """How many elements the queue holds."""

def QueueSizeV2(*, handle: Tensor, name: str | None = None) -> Tensor:
    """How many elements the queue holds."""

def RandomShuffleQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, min_after_dequeue: int | None = 0, seed: int | None = 0, seed2: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields its elements in random order; while it is open, dequeues leave `min_after_dequeue` of them behind. `shapes`, if given, are the fully defined shapes of an element's components; a negative `capacity` sets no bound; seeds of 0 draw a new order in each session."""

def RandomShuffleQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, min_after_dequeue: int | None = 0, seed: int | None = 0, seed2: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a queue that yields its elements in random order; while it is open, dequeues leave `min_after_dequeue` of them behind. `shapes`, if given, are the fully defined shapes of an element's components; a negative `capacity` sets no bound; seeds of 0 draw a new order in each session."""

def ResourceAccumulatorApplyGradient(*, handle: Tensor, local_step: TensorLike, gradient: TensorLike, name: str | None = None) -> Operation:
    """Adds a gradient, or drops it if the step for which it was computed is before the accumulator's."""

def ResourceAccumulatorNumAccumulated(*, handle: Tensor, name: str | None = None) -> Tensor:
    """How many gradients have been added up."""

def ResourceAccumulatorSetGlobalStep(*, handle: Tensor, new_global_step: TensorLike, name: str | None = None) -> Operation:
    """Sets the accumulator's step."""

def ResourceAccumulatorTakeGradient(*, handle: Tensor, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Takes what came of the gradients, waiting until there are `num_required` of them; the accumulator is empty then, and its step one more."""

def ResourceConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Handle to a place where gradients of one shape are added up until enough of them are there: their mean, or sum, is then taken."""

def SparseAccumulatorApplyGradient(*, handle: RefLike, local_step: TensorLike, gradient_indices: TensorLike, gradient_values: TensorLike, gradient_shape: TensorLike, has_known_shape: bool, name: str | None = None) -> Operation:
    """Adds a gradient whose rows `gradient_indices`, ascending, are `gradient_values`, or drops it if the step for which it was computed is before the accumulator's."""

def SparseAccumulatorTakeGradient(*, handle: RefLike, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> _SparseAccumulatorTakeGradientOutputs:
    """Takes what came of the gradients, rows of which the first output tells the indices, waiting until there are `num_required` gradients; the accumulator is empty then, and its step one more."""

def SparseConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Handle to a place where gradients that have some rows only are added up until enough of them are there. A mean of a row is over the gradients that have it."""

def Stack(*, elem_type: DTypeLike, stack_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """A stack of tensors for one step, by the handle that early graphs pass: see StackV2."""

def StackClose(*, handle: RefLike, name: str | None = None) -> Operation:
    """Drops what is on the stack; later uses are errors."""

def StackCloseV2(*, handle: Tensor, name: str | None = None) -> Operation:
    """Drops what is on the stack; later uses are errors."""

def StackPop(*, handle: RefLike, elem_type: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor that was put on the stack last, which is taken off it."""

def StackPopV2(*, handle: Tensor, elem_type: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor that was put on the stack last, which is taken off it."""

def StackPush(*, handle: RefLike, elem: TensorLike, swap_memory: bool | None = False, name: str | None = None) -> Tensor:
    """Puts `elem` on the stack, and yields it. Where memory is swapped to is of no effect here."""

def StackPushV2(*, handle: Tensor, elem: TensorLike, swap_memory: bool | None = False, name: str | None = None) -> Tensor:
    """Puts `elem` on the stack, and yields it. Where memory is swapped to is of no effect here."""

def StackV2(*, max_size: TensorLike, elem_type: DTypeLike, stack_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """A stack of at most `max_size` tensors, or of any number if that is negative, for one step."""

def Stage(*, values: Sequence[TensorLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts a tuple into the staging area of that name, waiting for room: there are at most `capacity` tuples and `memory_limit` bytes, or any number where that is 0."""

def StageClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging area of that name."""

def StagePeek(*, index: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """The tuple at `index` of the staging area of that name, which stays there, waiting for it."""

def StageSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """How many tuples are in the staging area of that name."""

def TensorArray(*, size: TensorLike, dtype: DTypeLike, dynamic_size: bool | None = False, clear_after_read: bool | None = True, tensor_array_name: str | bytes | None = '', element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """An array of `size` elements for one step, by the handle that the first graphs pass: see TensorArrayV3."""

def TensorArrayClose(*, handle: RefLike, name: str | None = None) -> Operation:
    """Drops the elements of the array; later uses are errors."""

def TensorArrayCloseV2(*, handle: TensorLike, name: str | None = None) -> Operation:
    """Drops the elements of the array; later uses are errors."""

def TensorArrayCloseV3(*, handle: Tensor, name: str | None = None) -> Operation:
    """Drops the elements of the array; later uses are errors."""

def TensorArrayConcat(*, handle: RefLike, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatOutputs:
    """All elements of the array one after the other, and how many rows each has; their other dimensions must be the same."""

def TensorArrayConcatV2(*, handle: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatV2Outputs:
    """All elements of the array one after the other, and how many rows each has; their other dimensions must be the same."""

def TensorArrayConcatV3(*, handle: Tensor, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatV3Outputs:
    """All elements of the array one after the other, and how many rows each has; their other dimensions must be the same."""

def TensorArrayGather(*, handle: RefLike, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """The elements `indices` of the array, stacked; they must have one shape, which `element_shape` agrees with."""

def TensorArrayGatherV2(*, handle: TensorLike, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """The elements `indices` of the array, stacked; they must have one shape, which `element_shape` agrees with."""

def TensorArrayGatherV3(*, handle: Tensor, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """The elements `indices` of the array, stacked; they must have one shape, which `element_shape` agrees with."""

def TensorArrayGrad(*, handle: TensorLike, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> Tensor:
    """The array of gradients of `handle` that `source` computes: see TensorArrayGradV3."""

def TensorArrayGradV2(*, handle: TensorLike, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> Tensor:
    """The array of gradients of `handle` that `source` computes: see TensorArrayGradV3."""

def TensorArrayGradV3(*, handle: Tensor, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> _TensorArrayGradV3Outputs:
    """The array of gradients of `handle` that `source` computes; it is made by the first node that asks for it. What is written to an element of it is added up. The array itself does not grow any more."""

def TensorArrayGradWithShape(*, handle: Tensor, flow_in: TensorLike, shape_to_prepend: TensorLike, source: str | bytes, name: str | None = None) -> _TensorArrayGradWithShapeOutputs:
    """TensorArrayGradV3 where gradients have the dimensions `shape_to_prepend` before those of the elements."""

def TensorArrayPack(*, handle: RefLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """All elements of the array, stacked; they must have one shape, which `element_shape` agrees with."""

def TensorArrayRead(*, handle: RefLike, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Element `index` of the array. What was not written is zeros, if its shape is known; what was read is gone, if the array clears after reading."""

def TensorArrayReadV2(*, handle: TensorLike, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Element `index` of the array. What was not written is zeros, if its shape is known; what was read is gone, if the array clears after reading."""

def TensorArrayReadV3(*, handle: Tensor, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Element `index` of the array. What was not written is zeros, if its shape is known; what was read is gone, if the array clears after reading."""

def TensorArrayScatter(*, handle: RefLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """The rows of `value` become the elements `indices` of the array."""

def TensorArrayScatterV2(*, handle: TensorLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """The rows of `value` become the elements `indices` of the array."""

def TensorArrayScatterV3(*, handle: Tensor, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """The rows of `value` become the elements `indices` of the array."""

def TensorArraySize(*, handle: RefLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """How many elements the array has."""

def TensorArraySizeV2(*, handle: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """How many elements the array has."""

def TensorArraySizeV3(*, handle: Tensor, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """How many elements the array has."""

def TensorArraySplit(*, handle: RefLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Pieces of `value` become the elements of the array: element i has the next `lengths[i]` rows. The lengths must sum to the number of rows, and be as many as the array has elements, if it does not grow."""

def TensorArraySplitV2(*, handle: TensorLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Pieces of `value` become the elements of the array: element i has the next `lengths[i]` rows. The lengths must sum to the number of rows, and be as many as the array has elements, if it does not grow."""

def TensorArraySplitV3(*, handle: Tensor, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Pieces of `value` become the elements of the array: element i has the next `lengths[i]` rows. The lengths must sum to the number of rows, and be as many as the array has elements, if it does not grow."""

def TensorArrayUnpack(*, handle: RefLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """The rows of `value` become the elements of the array, which must be as many, if it does not grow."""

def TensorArrayV2(*, size: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, dynamic_size: bool | None = False, clear_after_read: bool | None = True, tensor_array_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """An array of `size` elements for one step, by the handle that early graphs pass: see TensorArrayV3."""

def TensorArrayV3(*, size: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, dynamic_size: bool | None = False, clear_after_read: bool | None = True, identical_element_shapes: bool | None = False, tensor_array_name: str | bytes | None = '', name: str | None = None) -> _TensorArrayV3Outputs:
    """An array of `size` elements, which are tensors, for one step. A `flow` is passed from each use to the next, so that they follow each other."""

def TensorArrayWrite(*, handle: RefLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Element `index` of the array becomes `value`. It is an error to write an element twice."""

def TensorArrayWriteV2(*, handle: TensorLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Element `index` of the array becomes `value`. It is an error to write an element twice."""

def TensorArrayWriteV3(*, handle: Tensor, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Element `index` of the array becomes `value`. It is an error to write an element twice."""

def TensorListConcat(*, input_handle: Tensor, element_dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> _TensorListConcatOutputs:
    """All elements of the list one after the other, and how many rows each has; their other dimensions must be the same."""

def TensorListConcatLists(*, input_a: Tensor, input_b: Tensor, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Lists with the elements of `input_a` and then those of `input_b`, list by list. No element is copied."""

def TensorListConcatV2(*, input_handle: Tensor, element_shape: TensorLike, leading_dims: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> _TensorListConcatV2Outputs:
    """TensorListConcat for lists with elements that were not set: they are zeros, and element i has `leading_dims[i]` rows, or where there is no such number as many as all others."""

def TensorListElementShape(*, input_handle: Tensor, shape_type: DTypeLike, name: str | None = None) -> Tensor:
    """What the list says of the shapes of its elements, -1 for sizes that it does not know, or for all of it."""

def TensorListFromTensor(*, tensor: TensorLike, element_shape: TensorLike, name: str | None = None) -> Tensor:
    """The list of the rows of `tensor`, without a copy. Their shape must agree with `element_shape`."""

def TensorListGather(*, input_handle: Tensor, indices: TensorLike, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """The elements `indices` of the list, which must have one shape, stacked; those that were not set are zeros."""

def TensorListGetItem(*, input_handle: Tensor, index: TensorLike, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Element `index` of the list. If it was not set, zeros, whose shape must be told by `element_shape`, by the list, or by its other elements."""

def TensorListLength(*, input_handle: Tensor, name: str | None = None) -> Tensor:
    """How many elements the list has."""

def TensorListPopBack(*, input_handle: Tensor, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> _TensorListPopBackOutputs:
    """The list without its last element, and that: if it was not set, zeros of shape `element_shape`."""

def TensorListPushBack(*, input_handle: Tensor, tensor: TensorLike, name: str | None = None) -> Tensor:
    """The list with one more element, `tensor`."""

def TensorListPushBackBatch(*, input_handles: Tensor, tensor: TensorLike, name: str | None = None) -> Tensor:
    """The lists of a vector, each with one more element: row i of `tensor` for list i."""

def TensorListReserve(*, element_shape: TensorLike, num_elements: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """A list of `num_elements` tensors that are not set; where their shape is known they read as zeros."""

def TensorListResize(*, input_handle: Tensor, size: TensorLike, name: str | None = None) -> Tensor:
    """The first `size` elements of the list, and as many that are not set as it has too few."""

def TensorListScatter(*, tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, name: str | None = None) -> Tensor:
    """A list in which the rows of `tensor` are the elements `indices`, and others are not set."""

def TensorListScatterIntoExistingList(*, input_handle: Tensor, tensor: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """The list in which the rows of `tensor` are the elements `indices`; it grows if one is beyond its end."""

def TensorListScatterV2(*, tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, num_elements: TensorLike, name: str | None = None) -> Tensor:
    """TensorListScatter into a list of `num_elements`, or of as many as are needed if that is -1."""

def TensorListSetItem(*, input_handle: Tensor, index: TensorLike, item: TensorLike, name: str | None = None) -> Tensor:
    """The list in which element `index` is `item`."""

def TensorListSplit(*, tensor: TensorLike, element_shape: TensorLike, lengths: TensorLike, name: str | None = None) -> Tensor:
    """The list of pieces of `tensor`, without a copy: element i has the next `lengths[i]` rows. The lengths must sum to the number of rows."""

def TensorListStack(*, input_handle: Tensor, element_shape: TensorLike, element_dtype: DTypeLike, num_elements: int | None = -1, name: str | None = None) -> Tensor:
    """The elements of the list, which must have one shape, stacked; those that were not set are zeros. It is an error if they are not `num_elements`, unless that is -1."""

def Unstage(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes the first tuple out of the staging area of that name, waiting for one."""
