"""TensorFlow's path to queues and similar data structures."""

from tinytf._src.ops.data_flow.accumulators import ConditionalAccumulator as ConditionalAccumulator
from tinytf._src.ops.data_flow.accumulators import ConditionalAccumulatorBase as ConditionalAccumulatorBase
from tinytf._src.ops.data_flow.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from tinytf._src.ops.data_flow.barrier import Barrier as Barrier
from tinytf._src.ops.data_flow.data_flow_ops import FIFOQueue as FIFOQueue
from tinytf._src.ops.data_flow.data_flow_ops import PaddingFIFOQueue as PaddingFIFOQueue
from tinytf._src.ops.data_flow.data_flow_ops import PriorityQueue as PriorityQueue
from tinytf._src.ops.data_flow.data_flow_ops import RandomShuffleQueue as RandomShuffleQueue
from tinytf._src.ops.data_flow.map_staging_area import MapStagingArea as MapStagingArea
from tinytf._src.ops.data_flow.queue_base import QueueBase as QueueBase
from tinytf._src.ops.data_flow.staging_area import BaseStagingArea as BaseStagingArea
from tinytf._src.ops.data_flow.staging_area import StagingArea as StagingArea
from tinytf._src.training.input.record_input import RecordInput as RecordInput
from tinytf.python.paths import other_names as _other_names

__getattr__ = _other_names(globals())
