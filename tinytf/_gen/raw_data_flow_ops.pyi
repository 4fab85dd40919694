"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.data_flow_ops import _BarrierTakeManyOutputs, _MapUnstageNoKeyOutputs, _OrderedMapUnstageNoKeyOutputs, _SparseAccumulatorTakeGradientOutputs, _TensorArrayConcatOutputs, _TensorArrayConcatV2Outputs, _TensorArrayConcatV3Outputs, _TensorArrayGradV3Outputs, _TensorArrayGradWithShapeOutputs, _TensorArrayV3Outputs, _TensorListConcatOutputs, _TensorListConcatV2Outputs, _TensorListPopBackOutputs

def AccumulatorApplyGradient(*, handle: RefLike, local_step: TensorLike, gradient: TensorLike, name: str | None = None) -> Operation:
    """Adds `gradient` to the accumulator, or drops it if `local_step` is less than the accumulator's global step."""

def AccumulatorNumAccumulated(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of gradients that have been added."""

def AccumulatorSetGlobalStep(*, handle: RefLike, new_global_step: TensorLike, name: str | None = None) -> Operation:
    """Sets the accumulator's global step to `new_global_step`."""

def AccumulatorTakeGradient(*, handle: RefLike, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Waits until at least `num_required` gradients have been added and takes their mean or sum as `average`. The accumulator is then empty, and its global step is incremented."""

def Barrier(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a barrier: a store of elements, each with a key, that are assembled from components inserted one by one. `component_types` and `shapes` describe the components."""

def BarrierClose(*, handle: RefLike, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the barrier: new keys are refused. If `cancel_pending_enqueues` is true, incomplete elements are dropped and further components are refused too."""

def BarrierIncompleteSize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of incomplete elements."""

def BarrierInsertMany(*, handle: RefLike, keys: TensorLike, values: TensorLike, component_index: int, name: str | None = None) -> Operation:
    """Inserts row i of `values` as component `component_index` of the element with key `keys[i]`. Fails with InvalidArgument, without any effect, if an element already has that component, and with Cancelled for a new key if the barrier is closed."""

def BarrierReadySize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of complete elements."""

def BarrierTakeMany(*, handle: RefLike, num_elements: TensorLike, component_types: Sequence[DTypeLike], allow_small_batch: bool | None = False, wait_for_incomplete: bool | None = False, timeout_ms: int | None = -1, name: str | None = None) -> _BarrierTakeManyOutputs:
    """Takes `num_elements` complete elements, waiting until there are enough. Elements are taken in the order in which their first components were inserted; `indices` numbers these insertions from -2^63. If `allow_small_batch` is true and the barrier is closed, it takes fewer elements, but at least one."""

def ConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Returns a handle to an accumulator of dense gradients. Gradients of equal shapes are added up until they are taken as their mean or sum, as `reduction_type` says."""

def DeleteSessionTensor(*, handle: TensorLike, name: str | None = None) -> Operation:
    """Deletes the tensor that the session keeps under `handle`. Fails with InvalidArgument if there is none."""

def DynamicPartition(*, data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """Distributes the slices of `data`: output p holds, in order, the slices `data[i]` with `partitions[i]` = p."""

def DynamicStitch(*, indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Merges slices: merged[indices[m][i]] = data[m][i]. If an index occurs more than once, the last occurrence wins."""

def EmptyTensorList(*, element_shape: TensorLike, max_num_elements: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns an empty list, to which at most `max_num_elements` tensors can be pushed, or any number if that is -1. The elements must be compatible with `element_shape`, in which -1 is an unknown size; the scalar -1 allows any shape."""

def FIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes`, unless empty, are the fully defined shapes of the components; a negative `capacity` means no limit."""

def FIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes`, unless empty, are the fully defined shapes of the components; a negative `capacity` means no limit."""

def FakeQueue(*, resource: Tensor, name: str | None = None) -> Tensor:
    """Converts `resource`, which refers to a queue, to the reference handle that ops of early graphs take."""

def GetSessionHandle(*, value: TensorLike, name: str | None = None) -> Tensor:
    """Keeps `value` in the session until it is deleted or the session is closed, and returns a handle to it."""

def GetSessionTensor(*, handle: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns the tensor that the session keeps under `handle`. Fails with InvalidArgument if there is none."""

def MapClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging map of the node's name."""

def MapIncompleteSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the number of incomplete tuples in the staging map of the node's name."""

def MapPeek(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Returns the components `indices` of the tuple with key `key` from the staging map of the node's name, waiting until the tuple is complete. The components stay in the map."""

def MapSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the number of tuples in the staging map of the node's name that have been completed and of which some components are left."""

def MapStage(*, key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts the components `indices` of the tuple with key `key` into the staging map of the node's name, waiting for room. The map holds at most `capacity` complete tuples and `memory_limit` bytes; 0 means no limit."""

def MapUnstage(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes the components `indices` of the tuple with key `key` out of the staging map of the node's name, waiting until the tuple is complete."""

def MapUnstageNoKey(*, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _MapUnstageNoKeyOutputs:
    """Takes the components `indices` of the tuple with the smallest key out of the staging map of the node's name, waiting for a complete tuple."""

def OrderedMapClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging map of the node's name."""

def OrderedMapIncompleteSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the number of incomplete tuples in the staging map of the node's name."""

def OrderedMapPeek(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Returns the components `indices` of the tuple with key `key` from the staging map of the node's name, waiting until the tuple is complete. The components stay in the map."""

def OrderedMapSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the number of tuples in the staging map of the node's name that have been completed and of which some components are left."""

def OrderedMapStage(*, key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts the components `indices` of the tuple with key `key` into the staging map of the node's name, waiting for room. The map holds at most `capacity` complete tuples and `memory_limit` bytes; 0 means no limit."""

def OrderedMapUnstage(*, key: TensorLike, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes the components `indices` of the tuple with key `key` out of the staging map of the node's name, waiting until the tuple is complete."""

def OrderedMapUnstageNoKey(*, indices: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _OrderedMapUnstageNoKeyOutputs:
    """Takes the components `indices` of the tuple with the smallest key out of the staging map of the node's name, waiting for a complete tuple."""

def PaddingFIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes` must have known ranks but may leave sizes open; in a batch, elements of different sizes are padded at the end with zeros or empty strings. A negative `capacity` means no limit."""

def PaddingFIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes` must have known ranks but may leave sizes open; in a batch, elements of different sizes are padded at the end with zeros or empty strings. A negative `capacity` means no limit."""

def ParallelDynamicStitch(*, indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Merges slices: merged[indices[m][i]] = data[m][i]. If an index occurs more than once, the last occurrence wins."""

def PriorityQueue(*, shapes: Sequence[ShapeLike], component_types: Sequence[DTypeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues the element with the smallest priority first. The priority is an int64 scalar, which precedes the components described by `component_types` and `shapes`. A negative `capacity` means no limit."""

def PriorityQueueV2(*, shapes: Sequence[ShapeLike], component_types: Sequence[DTypeLike] | None = (), capacity: int | None = -1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues the element with the smallest priority first. The priority is an int64 scalar, which precedes the components described by `component_types` and `shapes`. A negative `capacity` means no limit."""

def QueueClose(*, handle: RefLike, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the queue: later enqueues fail, and dequeues succeed as long as there are enough elements. Waits for pending enqueues, or cancels them if `cancel_pending_enqueues` is true. Fails with Cancelled if the queue is already closed and `cancel_pending_enqueues` is false."""

def QueueCloseV2(*, handle: Tensor, cancel_pending_enqueues: bool | None = False, name: str | None = None) -> Operation:
    """Closes the queue: later enqueues fail, and dequeues succeed as long as there are enough elements. Waits for pending enqueues, or cancels them if `cancel_pending_enqueues` is true. Fails with Cancelled if the queue is already closed and `cancel_pending_enqueues` is false."""

def QueueDequeue(*, handle: RefLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next element from the queue, waiting until there is one. Fails with OutOfRange if the queue is closed and empty."""

def QueueDequeueMany(*, handle: RefLike, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. The queue must have been declared with shapes. Fails with OutOfRange, and takes nothing, if the queue is closed and has fewer elements."""

def QueueDequeueManyV2(*, handle: Tensor, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. The queue must have been declared with shapes. Fails with OutOfRange, and takes nothing, if the queue is closed and has fewer elements."""

def QueueDequeueUpTo(*, handle: RefLike, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. If the queue is closed it takes the remaining elements, at least one."""

def QueueDequeueUpToV2(*, handle: Tensor, n: TensorLike, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. If the queue is closed it takes the remaining elements, at least one."""

def QueueDequeueV2(*, handle: Tensor, component_types: Sequence[DTypeLike], timeout_ms: int | None = -1, name: str | None = None) -> list[Tensor]:
    """Takes the next element from the queue, waiting until there is one. Fails with OutOfRange if the queue is closed and empty."""

def QueueEnqueue(*, handle: RefLike, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Enqueues one element, waiting for room. Its `components` must have the dtypes and shapes of the queue. Fails with Cancelled if the queue is closed."""

def QueueEnqueueMany(*, handle: RefLike, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Enqueues each row of the `components` as an element, waiting for room. All components must have the same first dimension. Fails with Cancelled if the queue is closed."""

def QueueEnqueueManyV2(*, handle: Tensor, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Enqueues each row of the `components` as an element, waiting for room. All components must have the same first dimension. Fails with Cancelled if the queue is closed."""

def QueueEnqueueV2(*, handle: Tensor, components: Sequence[TensorLike], timeout_ms: int | None = -1, name: str | None = None) -> Operation:
    """Enqueues one element, waiting for room. Its `components` must have the dtypes and shapes of the queue. Fails with Cancelled if the queue is closed."""

def QueueIsClosed(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Tests whether the queue is closed."""

def QueueIsClosedV2(*, handle: Tensor, name: str | None = None) -> Tensor:
    """Tests whether the queue is closed."""

def QueueSize(*, handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of elements in the queue."""

def QueueSizeV2(*, handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of elements in the queue."""

def RandomShuffleQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, min_after_dequeue: int | None = 0, seed: int | None = 0, seed2: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues its elements in random order. While it is open, dequeues leave at least `min_after_dequeue` elements behind. `shapes`, unless empty, are the fully defined shapes of the components; a negative `capacity` means no limit; if `seed` and `seed2` are 0, each session has a different order."""

def RandomShuffleQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] | None = (), capacity: int | None = -1, min_after_dequeue: int | None = 0, seed: int | None = 0, seed2: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a queue that dequeues its elements in random order. While it is open, dequeues leave at least `min_after_dequeue` elements behind. `shapes`, unless empty, are the fully defined shapes of the components; a negative `capacity` means no limit; if `seed` and `seed2` are 0, each session has a different order."""

def ResourceAccumulatorApplyGradient(*, handle: Tensor, local_step: TensorLike, gradient: TensorLike, name: str | None = None) -> Operation:
    """Adds `gradient` to the accumulator, or drops it if `local_step` is less than the accumulator's global step."""

def ResourceAccumulatorNumAccumulated(*, handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of gradients that have been added."""

def ResourceAccumulatorSetGlobalStep(*, handle: Tensor, new_global_step: TensorLike, name: str | None = None) -> Operation:
    """Sets the accumulator's global step to `new_global_step`."""

def ResourceAccumulatorTakeGradient(*, handle: Tensor, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Waits until at least `num_required` gradients have been added and takes their mean or sum as `average`. The accumulator is then empty, and its global step is incremented."""

def ResourceConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Returns a handle to an accumulator of dense gradients. Gradients of equal shapes are added up until they are taken as their mean or sum, as `reduction_type` says."""

def SparseAccumulatorApplyGradient(*, handle: RefLike, local_step: TensorLike, gradient_indices: TensorLike, gradient_values: TensorLike, gradient_shape: TensorLike, has_known_shape: bool, name: str | None = None) -> Operation:
    """Adds a sparse gradient with the rows `gradient_values` at the ascending indices `gradient_indices`, or drops it if `local_step` is less than the accumulator's global step."""

def SparseAccumulatorTakeGradient(*, handle: RefLike, num_required: TensorLike, dtype: DTypeLike, name: str | None = None) -> _SparseAccumulatorTakeGradientOutputs:
    """Waits until at least `num_required` gradients have been added and takes their mean or sum: the rows `values` at `indices` of a tensor of shape `shape`. The accumulator is then empty, and its global step is incremented."""

def SparseConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', reduction_type: str | bytes | None = 'MEAN', name: str | None = None) -> Tensor:
    """Returns a handle to an accumulator of sparse gradients, which contain only some rows. They are added up until they are taken as their mean or sum, as `reduction_type` says; the mean of a row is over the gradients that contain it."""

def Stack(*, elem_type: DTypeLike, stack_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Creates a stack of tensors that lives for one step, and returns the reference handle used in early graphs: see StackV2."""

def StackClose(*, handle: RefLike, name: str | None = None) -> Operation:
    """Drops the contents of the stack. Later uses of it are errors."""

def StackCloseV2(*, handle: Tensor, name: str | None = None) -> Operation:
    """Drops the contents of the stack. Later uses of it are errors."""

def StackPop(*, handle: RefLike, elem_type: DTypeLike, name: str | None = None) -> Tensor:
    """Pops the tensor that was pushed last and returns it as `elem`."""

def StackPopV2(*, handle: Tensor, elem_type: DTypeLike, name: str | None = None) -> Tensor:
    """Pops the tensor that was pushed last and returns it as `elem`."""

def StackPush(*, handle: RefLike, elem: TensorLike, swap_memory: bool | None = False, name: str | None = None) -> Tensor:
    """Pushes `elem` onto the stack and returns it as `output`. `swap_memory` has no effect."""

def StackPushV2(*, handle: Tensor, elem: TensorLike, swap_memory: bool | None = False, name: str | None = None) -> Tensor:
    """Pushes `elem` onto the stack and returns it as `output`. `swap_memory` has no effect."""

def StackV2(*, max_size: TensorLike, elem_type: DTypeLike, stack_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Creates a stack that lives for one step, of at most `max_size` tensors, or any number if `max_size` is negative."""

def Stage(*, values: Sequence[TensorLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Puts the tuple `values` into the staging area of the node's name, waiting for room. The area holds at most `capacity` tuples and `memory_limit` bytes; 0 means no limit."""

def StageClear(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Operation:
    """Drops all tuples of the staging area of the node's name."""

def StagePeek(*, index: TensorLike, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Returns the tuple at position `index` of the staging area of the node's name, waiting until it is there. The tuple stays in the area."""

def StageSize(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the number of tuples in the staging area of the node's name."""

def TensorArray(*, size: TensorLike, dtype: DTypeLike, dynamic_size: bool | None = False, clear_after_read: bool | None = True, tensor_array_name: str | bytes | None = '', element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Creates an array of `size` tensors that lives for one step, and returns the reference handle used in the first graphs: see TensorArrayV3."""

def TensorArrayClose(*, handle: RefLike, name: str | None = None) -> Operation:
    """Drops the elements of the array. Later uses of it are errors."""

def TensorArrayCloseV2(*, handle: TensorLike, name: str | None = None) -> Operation:
    """Drops the elements of the array. Later uses of it are errors."""

def TensorArrayCloseV3(*, handle: Tensor, name: str | None = None) -> Operation:
    """Drops the elements of the array. Later uses of it are errors."""

def TensorArrayConcat(*, handle: RefLike, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatOutputs:
    """Concatenates all elements of the array along their first dimension as `value`, and returns the number of rows of each as `lengths`. Their other dimensions must be equal."""

def TensorArrayConcatV2(*, handle: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatV2Outputs:
    """Concatenates all elements of the array along their first dimension as `value`, and returns the number of rows of each as `lengths`. Their other dimensions must be equal."""

def TensorArrayConcatV3(*, handle: Tensor, flow_in: TensorLike, dtype: DTypeLike, element_shape_except0: ShapeLike = None, name: str | None = None) -> _TensorArrayConcatV3Outputs:
    """Concatenates all elements of the array along their first dimension as `value`, and returns the number of rows of each as `lengths`. Their other dimensions must be equal."""

def TensorArrayGather(*, handle: RefLike, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Stacks the elements `indices` of the array. They must have equal shapes, compatible with `element_shape`."""

def TensorArrayGatherV2(*, handle: TensorLike, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Stacks the elements `indices` of the array. They must have equal shapes, compatible with `element_shape`."""

def TensorArrayGatherV3(*, handle: Tensor, indices: TensorLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Stacks the elements `indices` of the array. They must have equal shapes, compatible with `element_shape`."""

def TensorArrayGrad(*, handle: TensorLike, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> Tensor:
    """Returns the array of the gradients of `handle` that `source` computes: see TensorArrayGradV3."""

def TensorArrayGradV2(*, handle: TensorLike, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> Tensor:
    """Returns the array of the gradients of `handle` that `source` computes: see TensorArrayGradV3."""

def TensorArrayGradV3(*, handle: Tensor, flow_in: TensorLike, source: str | bytes, name: str | None = None) -> _TensorArrayGradV3Outputs:
    """Returns the array of the gradients of `handle` that `source` computes; the first node that asks for it creates it. Values written to the same element are added up. The array `handle` itself cannot grow any more."""

def TensorArrayGradWithShape(*, handle: Tensor, flow_in: TensorLike, shape_to_prepend: TensorLike, source: str | bytes, name: str | None = None) -> _TensorArrayGradWithShapeOutputs:
    """Returns the array of the gradients of `handle` as TensorArrayGradV3 does, where the dimensions `shape_to_prepend` precede the shape of each element."""

def TensorArrayPack(*, handle: RefLike, flow_in: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Stacks all elements of the array. They must have equal shapes, compatible with `element_shape`."""

def TensorArrayRead(*, handle: RefLike, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns element `index` of the array. An element that was not written is zeros if its shape is known. If the array clears elements after reading, each element can be read once."""

def TensorArrayReadV2(*, handle: TensorLike, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns element `index` of the array. An element that was not written is zeros if its shape is known. If the array clears elements after reading, each element can be read once."""

def TensorArrayReadV3(*, handle: Tensor, index: TensorLike, flow_in: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns element `index` of the array. An element that was not written is zeros if its shape is known. If the array clears elements after reading, each element can be read once."""

def TensorArrayScatter(*, handle: RefLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes the rows of `value` to the elements `indices` of the array."""

def TensorArrayScatterV2(*, handle: TensorLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes the rows of `value` to the elements `indices` of the array."""

def TensorArrayScatterV3(*, handle: Tensor, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes the rows of `value` to the elements `indices` of the array."""

def TensorArraySize(*, handle: RefLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number of elements of the array."""

def TensorArraySizeV2(*, handle: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number of elements of the array."""

def TensorArraySizeV3(*, handle: Tensor, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number of elements of the array."""

def TensorArraySplit(*, handle: RefLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Splits `value` into pieces and writes them to the elements of the array: element i gets the next `lengths[i]` rows. The lengths must add up to the number of rows. There must be as many lengths as elements, unless the array has dynamic size."""

def TensorArraySplitV2(*, handle: TensorLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Splits `value` into pieces and writes them to the elements of the array: element i gets the next `lengths[i]` rows. The lengths must add up to the number of rows. There must be as many lengths as elements, unless the array has dynamic size."""

def TensorArraySplitV3(*, handle: Tensor, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Splits `value` into pieces and writes them to the elements of the array: element i gets the next `lengths[i]` rows. The lengths must add up to the number of rows. There must be as many lengths as elements, unless the array has dynamic size."""

def TensorArrayUnpack(*, handle: RefLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes the rows of `value` to the elements of the array. There must be as many rows as elements, unless the array has dynamic size."""

def TensorArrayV2(*, size: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, dynamic_size: bool | None = False, clear_after_read: bool | None = True, tensor_array_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Creates an array of `size` tensors that lives for one step, and returns the string handle used in early graphs: see TensorArrayV3."""

def TensorArrayV3(*, size: TensorLike, dtype: DTypeLike, element_shape: ShapeLike = None, dynamic_size: bool | None = False, clear_after_read: bool | None = True, identical_element_shapes: bool | None = False, tensor_array_name: str | bytes | None = '', name: str | None = None) -> _TensorArrayV3Outputs:
    """Creates an array of `size` tensors that lives for one step. The output `flow` is passed from each use of the array to the next, to order them."""

def TensorArrayWrite(*, handle: RefLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes `value` to element `index` of the array. Writing an element twice is an error, unless the array holds gradients, which are added up."""

def TensorArrayWriteV2(*, handle: TensorLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes `value` to element `index` of the array. Writing an element twice is an error, unless the array holds gradients, which are added up."""

def TensorArrayWriteV3(*, handle: Tensor, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Tensor:
    """Writes `value` to element `index` of the array. Writing an element twice is an error, unless the array holds gradients, which are added up."""

def TensorListConcat(*, input_handle: Tensor, element_dtype: DTypeLike, element_shape: ShapeLike = None, name: str | None = None) -> _TensorListConcatOutputs:
    """Concatenates all elements of the list along their first dimension as `tensor`, and returns the number of rows of each as `lengths`. Their other dimensions must be equal."""

def TensorListConcatLists(*, input_a: Tensor, input_b: Tensor, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Concatenates the lists in `input_a` with the lists in `input_b`, pair by pair. Elements are not copied."""

def TensorListConcatV2(*, input_handle: Tensor, element_shape: TensorLike, leading_dims: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> _TensorListConcatV2Outputs:
    """Does the same as TensorListConcat for lists with elements that are not set. Such an element i is zeros with `leading_dims[i]` rows, or if there is no such entry with as many rows as all the others have."""

def TensorListElementShape(*, input_handle: Tensor, shape_type: DTypeLike, name: str | None = None) -> Tensor:
    """Returns the known element shape of the list, with -1 for unknown sizes, or the scalar -1 for an unknown rank."""

def TensorListFromTensor(*, tensor: TensorLike, element_shape: TensorLike, name: str | None = None) -> Tensor:
    """Returns a list of the rows of `tensor`, without a copy. Their shape must be compatible with `element_shape`."""

def TensorListGather(*, input_handle: Tensor, indices: TensorLike, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Stacks the elements `indices` of the list, which must have equal shapes; elements that are not set are zeros."""

def TensorListGetItem(*, input_handle: Tensor, index: TensorLike, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns element `index` of the list. If it is not set, returns zeros, whose shape must be known from `element_shape`, from the list, or from its other elements."""

def TensorListLength(*, input_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of elements of the list."""

def TensorListPopBack(*, input_handle: Tensor, element_shape: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> _TensorListPopBackOutputs:
    """Removes the last element from the list and returns it as `tensor`. If the element is not set, `tensor` is zeros of shape `element_shape`."""

def TensorListPushBack(*, input_handle: Tensor, tensor: TensorLike, name: str | None = None) -> Tensor:
    """Appends `tensor` to the list."""

def TensorListPushBackBatch(*, input_handles: Tensor, tensor: TensorLike, name: str | None = None) -> Tensor:
    """Appends an element to each list in the vector `input_handles`: row i of `tensor` to list i."""

def TensorListReserve(*, element_shape: TensorLike, num_elements: TensorLike, element_dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns a list of `num_elements` elements that are not set. They read as zeros if their shape is known."""

def TensorListResize(*, input_handle: Tensor, size: TensorLike, name: str | None = None) -> Tensor:
    """Resizes the list to `size` elements: drops elements at the end, or appends elements that are not set."""

def TensorListScatter(*, tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, name: str | None = None) -> Tensor:
    """Returns a list in which element `indices[i]` is row i of `tensor`; the other elements are not set."""

def TensorListScatterIntoExistingList(*, input_handle: Tensor, tensor: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """Sets element `indices[i]` of the list to row i of `tensor`. The list grows if an index is beyond its end."""

def TensorListScatterV2(*, tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, num_elements: TensorLike, name: str | None = None) -> Tensor:
    """Does the same as TensorListScatter for a list of `num_elements` elements, or of as many as needed if `num_elements` is -1."""

def TensorListSetItem(*, input_handle: Tensor, index: TensorLike, item: TensorLike, name: str | None = None) -> Tensor:
    """Sets element `index` of the list to `item`."""

def TensorListSplit(*, tensor: TensorLike, element_shape: TensorLike, lengths: TensorLike, name: str | None = None) -> Tensor:
    """Returns a list of pieces of `tensor`, without a copy: element i has the next `lengths[i]` rows. The lengths must add up to the number of rows."""

def TensorListStack(*, input_handle: Tensor, element_shape: TensorLike, element_dtype: DTypeLike, num_elements: int | None = -1, name: str | None = None) -> Tensor:
    """Stacks the elements of the list, which must have equal shapes; elements that are not set are zeros. Fails if the number of elements differs from `num_elements`, unless that is -1."""

def Unstage(*, dtypes: Sequence[DTypeLike], capacity: int | None = 0, memory_limit: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Takes the first tuple out of the staging area of the node's name, waiting until there is one."""
