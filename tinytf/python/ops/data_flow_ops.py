"""TensorFlow's path to queues and similar data structures."""

from tinytf.ops.data_flow.accumulators import ConditionalAccumulator as ConditionalAccumulator
from tinytf.ops.data_flow.accumulators import ConditionalAccumulatorBase as ConditionalAccumulatorBase
from tinytf.ops.data_flow.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from tinytf.ops.data_flow.barrier import Barrier as Barrier
from tinytf.ops.data_flow.data_flow_ops import FIFOQueue as FIFOQueue
from tinytf.ops.data_flow.data_flow_ops import PaddingFIFOQueue as PaddingFIFOQueue
from tinytf.ops.data_flow.data_flow_ops import PriorityQueue as PriorityQueue
from tinytf.ops.data_flow.data_flow_ops import RandomShuffleQueue as RandomShuffleQueue
from tinytf.ops.data_flow.map_staging_area import MapStagingArea as MapStagingArea
from tinytf.ops.data_flow.queue_base import QueueBase as QueueBase
from tinytf.ops.data_flow.staging_area import BaseStagingArea as BaseStagingArea
from tinytf.ops.data_flow.staging_area import StagingArea as StagingArea
from tinytf.python.paths import other_names as _other_names
from tinytf.training.input.record_input import RecordInput as RecordInput

__getattr__ = _other_names(globals())
