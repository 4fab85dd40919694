"""Written by tinytf._src.tools.build_protos; do not edit."""

from collections.abc import MutableMapping, MutableSequence
from typing import Any

from google.protobuf.message import Message

def adopt(message: Any) -> Any: ...
def is_message(value: Any, name: str) -> bool: ...
def message_class(name: str) -> Any: ...
def pool() -> Any: ...

DataType: Any
DT_INVALID: int
DT_FLOAT: int
DT_DOUBLE: int
DT_INT32: int
DT_UINT8: int
DT_INT16: int
DT_INT8: int
DT_STRING: int
DT_COMPLEX64: int
DT_INT64: int
DT_BOOL: int
DT_QINT8: int
DT_QUINT8: int
DT_QINT32: int
DT_BFLOAT16: int
DT_QINT16: int
DT_QUINT16: int
DT_UINT16: int
DT_COMPLEX128: int
DT_HALF: int
DT_RESOURCE: int
DT_VARIANT: int
DT_UINT32: int
DT_UINT64: int
DT_FLOAT8_E5M2: int
DT_FLOAT8_E4M3FN: int
DT_FLOAT8_E4M3FNUZ: int
DT_FLOAT8_E4M3B11FNUZ: int
DT_FLOAT8_E5M2FNUZ: int
DT_FLOAT_REF: int
DT_DOUBLE_REF: int
DT_INT32_REF: int
DT_UINT8_REF: int
DT_INT16_REF: int
DT_INT8_REF: int
DT_STRING_REF: int
DT_COMPLEX64_REF: int
DT_INT64_REF: int
DT_BOOL_REF: int
DT_QINT8_REF: int
DT_QUINT8_REF: int
DT_QINT32_REF: int
DT_BFLOAT16_REF: int
DT_QINT16_REF: int
DT_QUINT16_REF: int
DT_UINT16_REF: int
DT_COMPLEX128_REF: int
DT_HALF_REF: int
DT_RESOURCE_REF: int
DT_VARIANT_REF: int
DT_UINT32_REF: int
DT_UINT64_REF: int
DT_FLOAT8_E5M2_REF: int
DT_FLOAT8_E4M3FN_REF: int
DT_FLOAT8_E4M3FNUZ_REF: int
DT_FLOAT8_E4M3B11FNUZ_REF: int
DT_FLOAT8_E5M2FNUZ_REF: int

class TensorShapeProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Dim(Message):
        def __init__(self, **fields: Any) -> None: ...
        size: int
        name: str

    dim: Any
    unknown_rank: bool

class VersionDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    producer: int
    min_consumer: int
    bad_consumers: MutableSequence[int]

class ResourceHandleProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    class DtypeAndShape(Message):
        def __init__(self, **fields: Any) -> None: ...
        dtype: int
        shape: Any

    device: str
    container: str
    name: str
    hash_code: int
    maybe_type_name: str
    dtypes_and_shapes: Any

class VariantTensorDataProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    type_name: str
    metadata: bytes
    tensors: Any

class TensorProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    dtype: int
    tensor_shape: Any
    version_number: int
    tensor_content: bytes
    float_val: MutableSequence[float]
    double_val: MutableSequence[float]
    int_val: MutableSequence[int]
    string_val: MutableSequence[bytes]
    scomplex_val: MutableSequence[float]
    int64_val: MutableSequence[int]
    bool_val: MutableSequence[bool]
    dcomplex_val: MutableSequence[float]
    half_val: MutableSequence[int]
    resource_handle_val: Any
    variant_val: Any
    uint32_val: MutableSequence[int]
    uint64_val: MutableSequence[int]
    float8_val: bytes

class NamedTensorProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    tensor: Any

class TensorSliceProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Extent(Message):
        def __init__(self, **fields: Any) -> None: ...
        start: int
        length: int

    extent: Any

class BundleHeaderProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    Endianness: Any
    LITTLE: int
    BIG: int
    num_shards: int
    endianness: int
    version: Any

class BundleEntryProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    dtype: int
    shape: Any
    shard_id: int
    offset: int
    size: int
    crc32c: int
    slices: Any

class CheckpointState(Message):
    def __init__(self, **fields: Any) -> None: ...
    model_checkpoint_path: str
    all_model_checkpoint_paths: MutableSequence[str]
    all_model_checkpoint_timestamps: MutableSequence[float]
    last_preserved_timestamp: float

class TrackableObjectGraph(Message):
    def __init__(self, **fields: Any) -> None: ...
    class TrackableObject(Message):
        def __init__(self, **fields: Any) -> None: ...
        class ObjectReference(Message):
            def __init__(self, **fields: Any) -> None: ...
            node_id: int
            local_name: str

        class SerializedTensor(Message):
            def __init__(self, **fields: Any) -> None: ...
            name: str
            full_name: str
            checkpoint_key: str
            optional_restore: bool

        class SlotVariableReference(Message):
            def __init__(self, **fields: Any) -> None: ...
            original_variable_node_id: int
            slot_name: str
            slot_variable_node_id: int

        children: Any
        attributes: Any
        slot_variables: Any

    nodes: Any

class SavedSliceMeta(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    shape: Any
    type: int
    slice: Any

class SavedTensorSliceMeta(Message):
    def __init__(self, **fields: Any) -> None: ...
    tensor: Any
    versions: Any

class SavedSlice(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    slice: Any
    data: Any

class SavedTensorSlices(Message):
    def __init__(self, **fields: Any) -> None: ...
    meta: Any
    data: Any

class JobDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    tasks: MutableMapping[int, str]

class ClusterDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    job: Any

class InterconnectLink(Message):
    def __init__(self, **fields: Any) -> None: ...
    device_id: int
    type: str
    strength: int

class LocalLinks(Message):
    def __init__(self, **fields: Any) -> None: ...
    link: Any

class DeviceLocality(Message):
    def __init__(self, **fields: Any) -> None: ...
    bus_id: int
    numa_node: int
    links: Any

class DeviceAttributes(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    device_type: str
    memory_limit: int
    locality: Any
    incarnation: int
    physical_device_desc: str

class AttrValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    class ListValue(Message):
        def __init__(self, **fields: Any) -> None: ...
        s: MutableSequence[bytes]
        i: MutableSequence[int]
        f: MutableSequence[float]
        b: MutableSequence[bool]
        type: MutableSequence[int]
        shape: Any
        tensor: Any
        func: Any

    list: Any
    s: bytes
    i: int
    f: float
    b: bool
    type: int
    shape: Any
    tensor: Any
    placeholder: str
    func: Any

class NameAttrList(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    attr: MutableMapping[str, Any]

class NodeDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class ExperimentalDebugInfo(Message):
        def __init__(self, **fields: Any) -> None: ...
        original_node_names: MutableSequence[str]
        original_func_names: MutableSequence[str]

    name: str
    op: str
    input: MutableSequence[str]
    device: str
    attr: MutableMapping[str, Any]
    experimental_debug_info: Any

class OpDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class ArgDef(Message):
        def __init__(self, **fields: Any) -> None: ...
        name: str
        description: str
        type: int
        type_attr: str
        number_attr: str
        type_list_attr: str
        is_ref: bool

    class AttrDef(Message):
        def __init__(self, **fields: Any) -> None: ...
        name: str
        type: str
        default_value: Any
        description: str
        has_minimum: bool
        minimum: int
        allowed_values: Any

    name: str
    input_arg: Any
    output_arg: Any
    attr: Any
    summary: str
    description: str
    deprecation: Any
    is_aggregate: bool
    is_stateful: bool
    is_commutative: bool
    allows_uninitialized_input: bool
    control_output: MutableSequence[str]

class OpDeprecation(Message):
    def __init__(self, **fields: Any) -> None: ...
    version: int
    explanation: str

class OpList(Message):
    def __init__(self, **fields: Any) -> None: ...
    op: Any

class FunctionDefLibrary(Message):
    def __init__(self, **fields: Any) -> None: ...
    function: Any
    gradient: Any

class FunctionDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class ArgAttrs(Message):
        def __init__(self, **fields: Any) -> None: ...
        attr: MutableMapping[str, Any]

    signature: Any
    node_def: Any
    ret: MutableMapping[str, str]
    attr: MutableMapping[str, Any]
    control_ret: MutableMapping[str, str]
    arg_attr: MutableMapping[int, Any]

class GradientDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    function_name: str
    gradient_func: str

class GraphDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    node: Any
    library: Any
    version: int
    versions: Any

class AutoParallelOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    enable: bool
    num_replicas: int

class ScopedAllocatorOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    enable_op: MutableSequence[str]

class VerifierConfig(Message):
    def __init__(self, **fields: Any) -> None: ...
    Toggle: Any
    DEFAULT: int
    ON: int
    OFF: int
    verification_timeout_in_ms: int
    structure_verifier: int

class RewriterConfig(Message):
    def __init__(self, **fields: Any) -> None: ...
    Toggle: Any
    DEFAULT: int
    ON: int
    OFF: int
    AGGRESSIVE: int
    NumIterationsType: Any
    DEFAULT_NUM_ITERS: int
    ONE: int
    TWO: int
    MemOptType: Any
    DEFAULT_MEM_OPT: int
    NO_MEM_OPT: int
    MANUAL: int
    HEURISTICS: int
    SWAPPING_HEURISTICS: int
    RECOMPUTATION_HEURISTICS: int
    SCHEDULING_HEURISTICS: int
    class CustomGraphOptimizer(Message):
        def __init__(self, **fields: Any) -> None: ...
        name: str
        parameter_map: MutableMapping[str, Any]

    layout_optimizer: int
    disable_model_pruning: bool
    constant_folding: int
    memory_optimization: int
    auto_parallel: Any
    memory_optimizer_target_node_name_scope: str
    arithmetic_optimization: int
    dependency_optimization: int
    loop_optimization: int
    function_optimization: int
    debug_stripper: int
    meta_optimizer_iterations: int
    shape_optimization: int
    remapping: int
    scoped_allocator_optimization: int
    scoped_allocator_opts: Any
    min_graph_nodes: int
    pin_to_host_optimization: int
    disable_meta_optimizer: bool
    meta_optimizer_timeout_ms: int
    fail_on_optimizer_errors: bool
    implementation_selector: int
    auto_mixed_precision: int
    optimizers: MutableSequence[str]
    custom_optimizers: Any
    inter_optimizer_verifier_config: Any
    post_optimization_verifier_config: Any

class AllocationDescription(Message):
    def __init__(self, **fields: Any) -> None: ...
    requested_bytes: int
    allocated_bytes: int
    allocator_name: str
    allocation_id: int
    has_single_reference: bool
    ptr: int

class TensorDescription(Message):
    def __init__(self, **fields: Any) -> None: ...
    dtype: int
    shape: Any
    allocation_description: Any

class AllocationRecord(Message):
    def __init__(self, **fields: Any) -> None: ...
    alloc_micros: int
    alloc_bytes: int

class AllocatorMemoryUsed(Message):
    def __init__(self, **fields: Any) -> None: ...
    allocator_name: str
    total_bytes: int
    peak_bytes: int
    live_bytes: int
    allocator_bytes_in_use: int
    allocation_records: Any

class NodeOutput(Message):
    def __init__(self, **fields: Any) -> None: ...
    slot: int
    tensor_description: Any

class MemoryStats(Message):
    def __init__(self, **fields: Any) -> None: ...
    temp_memory_size: int
    device_temp_memory_size: int
    persistent_memory_size: int
    device_persistent_memory_size: int
    persistent_tensor_alloc_ids: MutableSequence[int]
    device_persistent_tensor_alloc_ids: MutableSequence[int]

class NodeExecStats(Message):
    def __init__(self, **fields: Any) -> None: ...
    node_name: str
    all_start_micros: int
    op_start_rel_micros: int
    op_end_rel_micros: int
    all_end_rel_micros: int
    memory: Any
    output: Any
    timeline_label: str
    scheduled_micros: int
    thread_id: int
    referenced_tensor: Any
    memory_stats: Any
    all_start_nanos: int
    op_start_rel_nanos: int
    op_end_rel_nanos: int
    all_end_rel_nanos: int
    scheduled_nanos: int

class DeviceStepStats(Message):
    def __init__(self, **fields: Any) -> None: ...
    device: str
    node_stats: Any
    thread_names: MutableMapping[int, str]

class StepStats(Message):
    def __init__(self, **fields: Any) -> None: ...
    dev_stats: Any

class CostGraphDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Node(Message):
        def __init__(self, **fields: Any) -> None: ...
        class InputInfo(Message):
            def __init__(self, **fields: Any) -> None: ...
            preceding_node: int
            preceding_port: int

        class OutputInfo(Message):
            def __init__(self, **fields: Any) -> None: ...
            size: int
            alias_input_port: int
            shape: Any
            dtype: int

        name: str
        device: str
        id: int
        input_info: Any
        output_info: Any
        temporary_memory_size: int
        is_final: bool
        control_input: MutableSequence[int]
        compute_cost: int
        host_temp_memory_size: int
        device_temp_memory_size: int
        persistent_memory_size: int
        compute_time: int
        memory_time: int
        device_persistent_memory_size: int
        inaccurate: bool

    node: Any

class GraphDebugInfo(Message):
    def __init__(self, **fields: Any) -> None: ...
    class FileLineCol(Message):
        def __init__(self, **fields: Any) -> None: ...
        file_index: int
        line: int
        col: int
        func: str
        code: str

    class StackTrace(Message):
        def __init__(self, **fields: Any) -> None: ...
        file_line_cols: Any

    files: MutableSequence[str]
    traces: MutableMapping[str, Any]

class GPUOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Experimental(Message):
        def __init__(self, **fields: Any) -> None: ...
        class VirtualDevices(Message):
            def __init__(self, **fields: Any) -> None: ...
            memory_limit_mb: MutableSequence[float]

        virtual_devices: Any
        use_unified_memory: bool
        num_dev_to_dev_copy_streams: int
        collective_ring_order: str
        timestamped_allocator: bool
        kernel_tracker_max_interval: int
        kernel_tracker_max_bytes: int
        kernel_tracker_max_pending: int

    per_process_gpu_memory_fraction: float
    allocator_type: str
    deferred_deletion_bytes: int
    allow_growth: bool
    visible_device_list: str
    polling_active_delay_usecs: int
    polling_inactive_delay_msecs: int
    force_gpu_compatible: bool
    experimental: Any

class OptimizerOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    Level: Any
    L1: int
    L0: int
    GlobalJitLevel: Any
    DEFAULT: int
    OFF: int
    ON_1: int
    ON_2: int
    do_common_subexpression_elimination: bool
    do_constant_folding: bool
    opt_level: int
    do_function_inlining: bool
    global_jit_level: int
    max_folded_constant_in_bytes: int

class GraphOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    enable_recv_scheduling: bool
    optimizer_options: Any
    build_cost_model: int
    infer_shapes: bool
    place_pruned_graph: bool
    enable_bfloat16_sendrecv: bool
    timeline_step: int
    build_cost_model_after: int
    rewrite_options: Any

class ThreadPoolOptionProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    num_threads: int
    global_name: str

class RPCOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    use_rpc_for_inprocess_master: bool
    compression_algorithm: str
    compression_level: int
    cache_rpc_response: bool
    disable_session_connection_sharing: bool

class SessionMetadata(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    version: int

class ConfigProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Experimental(Message):
        def __init__(self, **fields: Any) -> None: ...
        collective_group_leader: str
        executor_type: str
        recv_buf_max_chunk: int
        use_numa_affinity: bool
        collective_deterministic_sequential_execution: bool
        collective_nccl: bool
        share_session_state_in_clusterspec_propagation: bool
        disable_thread_spinning: bool
        share_cluster_devices_in_session: bool
        session_metadata: Any
        optimize_for_static_graph: bool

    device_count: MutableMapping[str, int]
    intra_op_parallelism_threads: int
    placement_period: int
    device_filters: MutableSequence[str]
    inter_op_parallelism_threads: int
    gpu_options: Any
    allow_soft_placement: bool
    log_device_placement: bool
    use_per_session_threads: bool
    graph_options: Any
    operation_timeout_in_ms: int
    session_inter_op_thread_pool: Any
    rpc_options: Any
    cluster_def: Any
    isolate_session_state: bool
    experimental: Any

class RunOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    TraceLevel: Any
    NO_TRACE: int
    SOFTWARE_TRACE: int
    HARDWARE_TRACE: int
    FULL_TRACE: int
    class Experimental(Message):
        def __init__(self, **fields: Any) -> None: ...
        collective_graph_key: int
        use_run_handler_pool: bool

    trace_level: int
    timeout_in_ms: int
    inter_op_thread_pool: int
    output_partition_graphs: bool
    debug_options: Any
    report_tensor_allocations_upon_oom: bool
    experimental: Any

class RunMetadata(Message):
    def __init__(self, **fields: Any) -> None: ...
    class FunctionGraphs(Message):
        def __init__(self, **fields: Any) -> None: ...
        partition_graphs: Any
        pre_optimization_graph: Any
        post_optimization_graph: Any

    step_stats: Any
    cost_graph: Any
    partition_graphs: Any
    function_graphs: Any

class TensorConnection(Message):
    def __init__(self, **fields: Any) -> None: ...
    from_tensor: str
    to_tensor: str

class CallableOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    feed: MutableSequence[str]
    fetch: MutableSequence[str]
    target: MutableSequence[str]
    run_options: Any
    tensor_connection: Any
    feed_devices: MutableMapping[str, str]
    fetch_devices: MutableMapping[str, str]
    fetch_skip_sync: bool

class DebugTensorWatch(Message):
    def __init__(self, **fields: Any) -> None: ...
    node_name: str
    output_slot: int
    debug_ops: MutableSequence[str]
    debug_urls: MutableSequence[str]
    tolerate_debug_op_creation_failures: bool

class DebugOptions(Message):
    def __init__(self, **fields: Any) -> None: ...
    debug_tensor_watch_opts: Any
    global_step: int
    reset_disk_byte_usage: bool

Code: Any
OK: int
CANCELLED: int
UNKNOWN: int
INVALID_ARGUMENT: int
DEADLINE_EXCEEDED: int
NOT_FOUND: int
ALREADY_EXISTS: int
PERMISSION_DENIED: int
UNAUTHENTICATED: int
RESOURCE_EXHAUSTED: int
FAILED_PRECONDITION: int
ABORTED: int
OUT_OF_RANGE: int
UNIMPLEMENTED: int
INTERNAL: int
UNAVAILABLE: int
DATA_LOSS: int
DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_: int

class HistogramProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    bucket_limit: MutableSequence[float]
    bucket: MutableSequence[float]

class SummaryDescription(Message):
    def __init__(self, **fields: Any) -> None: ...
    type_hint: str

class SummaryMetadata(Message):
    def __init__(self, **fields: Any) -> None: ...
    class PluginData(Message):
        def __init__(self, **fields: Any) -> None: ...
        plugin_name: str
        content: bytes

    plugin_data: Any
    display_name: str
    summary_description: str

class Summary(Message):
    def __init__(self, **fields: Any) -> None: ...
    class Image(Message):
        def __init__(self, **fields: Any) -> None: ...
        height: int
        width: int
        colorspace: int
        encoded_image_string: bytes

    class Audio(Message):
        def __init__(self, **fields: Any) -> None: ...
        sample_rate: float
        num_channels: int
        length_frames: int
        encoded_audio_string: bytes
        content_type: str

    class Value(Message):
        def __init__(self, **fields: Any) -> None: ...
        tag: str
        simple_value: float
        obsolete_old_style_histogram: bytes
        image: Any
        histo: Any
        audio: Any
        tensor: Any
        node_name: str
        metadata: Any

    value: Any

class Event(Message):
    def __init__(self, **fields: Any) -> None: ...
    wall_time: float
    step: int
    file_version: str
    graph_def: bytes
    summary: Any
    log_message: Any
    session_log: Any
    tagged_run_metadata: Any
    meta_graph_def: bytes

class LogMessage(Message):
    def __init__(self, **fields: Any) -> None: ...
    Level: Any
    UNKNOWN: int
    DEBUGGING: int
    INFO: int
    WARN: int
    ERROR: int
    FATAL: int
    level: int
    message: str

class SessionLog(Message):
    def __init__(self, **fields: Any) -> None: ...
    SessionStatus: Any
    STATUS_UNSPECIFIED: int
    START: int
    STOP: int
    CHECKPOINT: int
    status: int
    checkpoint_path: str
    msg: str

class TaggedRunMetadata(Message):
    def __init__(self, **fields: Any) -> None: ...
    tag: str
    run_metadata: bytes

class BytesList(Message):
    def __init__(self, **fields: Any) -> None: ...
    value: MutableSequence[bytes]

class FloatList(Message):
    def __init__(self, **fields: Any) -> None: ...
    value: MutableSequence[float]

class Int64List(Message):
    def __init__(self, **fields: Any) -> None: ...
    value: MutableSequence[int]

class Feature(Message):
    def __init__(self, **fields: Any) -> None: ...
    bytes_list: Any
    float_list: Any
    int64_list: Any

class Features(Message):
    def __init__(self, **fields: Any) -> None: ...
    feature: MutableMapping[str, Any]

class FeatureList(Message):
    def __init__(self, **fields: Any) -> None: ...
    feature: Any

class FeatureLists(Message):
    def __init__(self, **fields: Any) -> None: ...
    feature_list: MutableMapping[str, Any]

class Example(Message):
    def __init__(self, **fields: Any) -> None: ...
    features: Any

class SequenceExample(Message):
    def __init__(self, **fields: Any) -> None: ...
    context: Any
    feature_lists: Any

class HParamDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class BytesList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[bytes]

    class FloatList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[float]

    class Int64List(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[int]

    class BoolList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[bool]

    class HParamType(Message):
        def __init__(self, **fields: Any) -> None: ...
        int64_value: int
        float_value: float
        bytes_value: bytes
        bool_value: bool
        int64_list: Any
        float_list: Any
        bytes_list: Any
        bool_list: Any

    hparam: MutableMapping[str, Any]

class CreateSessionRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    graph_def: Any
    config: Any
    target: str

class CreateSessionResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    graph_version: int

class ExtendSessionRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    graph_def: Any
    current_graph_version: int

class ExtendSessionResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    new_graph_version: int

class RunStepRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    feed: Any
    fetch: MutableSequence[str]
    target: MutableSequence[str]
    options: Any
    partial_run_handle: str
    store_errors_in_response_body: bool
    request_id: int

class RunStepResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    tensor: Any
    metadata: Any
    status_code: int
    status_error_message: str

class PartialRunSetupRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    feed: MutableSequence[str]
    fetch: MutableSequence[str]
    target: MutableSequence[str]
    request_id: int

class PartialRunSetupResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    partial_run_handle: str

class CloseSessionRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str

class CloseSessionResponse(Message):
    def __init__(self, **fields: Any) -> None: ...

class ResetRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    container: MutableSequence[str]
    device_filters: MutableSequence[str]

class ResetResponse(Message):
    def __init__(self, **fields: Any) -> None: ...

class ListDevicesRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str

class ListDevicesResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    local_device: Any
    remote_device: Any

class MakeCallableRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    options: Any
    request_id: int

class MakeCallableResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    handle: int

class RunCallableRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    handle: int
    feed: Any
    request_id: int

class RunCallableResponse(Message):
    def __init__(self, **fields: Any) -> None: ...
    fetch: Any
    metadata: Any

class ReleaseCallableRequest(Message):
    def __init__(self, **fields: Any) -> None: ...
    session_handle: str
    handle: int

class ReleaseCallableResponse(Message):
    def __init__(self, **fields: Any) -> None: ...

class StructuredValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    none_value: Any
    float64_value: float
    int64_value: int
    string_value: str
    bool_value: bool
    tensor_shape_value: Any
    tensor_dtype_value: int
    tensor_spec_value: Any
    type_spec_value: Any
    list_value: Any
    tuple_value: Any
    dict_value: Any
    named_tuple_value: Any

class NoneValue(Message):
    def __init__(self, **fields: Any) -> None: ...

class ListValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    values: Any

class TupleValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    values: Any

class DictValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    fields: MutableMapping[str, Any]

class PairValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    key: str
    value: Any

class NamedTupleValue(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    values: Any

class TensorSpecProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    name: str
    shape: Any
    dtype: int

class TypeSpecProto(Message):
    def __init__(self, **fields: Any) -> None: ...
    TypeSpecClass: Any
    UNKNOWN: int
    SPARSE_TENSOR_SPEC: int
    INDEXED_SLICES_SPEC: int
    RAGGED_TENSOR_SPEC: int
    TENSOR_ARRAY_SPEC: int
    DATA_DATASET_SPEC: int
    DATA_ITERATOR_SPEC: int
    OPTIONAL_SPEC: int
    PER_REPLICA_SPEC: int
    VARIABLE_SPEC: int
    type_spec_class: int
    type_state: Any
    type_spec_class_name: str

VariableSynchronization: Any
VARIABLE_SYNCHRONIZATION_AUTO: int
VARIABLE_SYNCHRONIZATION_NONE: int
VARIABLE_SYNCHRONIZATION_ON_WRITE: int
VARIABLE_SYNCHRONIZATION_ON_READ: int

VariableAggregation: Any
VARIABLE_AGGREGATION_NONE: int
VARIABLE_AGGREGATION_SUM: int
VARIABLE_AGGREGATION_MEAN: int
VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA: int

class VariableDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    variable_name: str
    initializer_name: str
    snapshot_name: str
    save_slice_info_def: Any
    is_resource: bool
    initial_value_name: str
    trainable: bool
    synchronization: int
    aggregation: int

class SaveSliceInfoDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    full_name: str
    full_shape: MutableSequence[int]
    var_offset: MutableSequence[int]
    var_shape: MutableSequence[int]

class QueueRunnerDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    queue_name: str
    enqueue_op_name: MutableSequence[str]
    close_op_name: str
    cancel_op_name: str
    queue_closed_exception_types: MutableSequence[int]

class ValuesDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    values: MutableSequence[str]
    external_values: MutableMapping[str, str]

class ControlFlowContextDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    cond_ctxt: Any
    while_ctxt: Any

class CondContextDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    context_name: str
    pred_name: str
    pivot_name: str
    branch: int
    values_def: Any
    nested_contexts: Any

class WhileContextDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    context_name: str
    parallel_iterations: int
    back_prop: bool
    swap_memory: bool
    pivot_name: str
    pivot_for_pred_name: str
    pivot_for_body_name: str
    loop_exit_names: MutableSequence[str]
    values_def: Any
    loop_enter_names: MutableSequence[str]
    maximum_iterations_name: str
    nested_contexts: Any

class SavedObjectGraph(Message):
    def __init__(self, **fields: Any) -> None: ...
    nodes: Any
    concrete_functions: MutableMapping[str, Any]

class SavedObject(Message):
    def __init__(self, **fields: Any) -> None: ...
    children: Any
    slot_variables: Any
    user_object: Any
    asset: Any
    function: Any
    variable: Any
    bare_concrete_function: Any
    constant: Any
    resource: Any

class SavedUserObject(Message):
    def __init__(self, **fields: Any) -> None: ...
    identifier: str
    version: Any
    metadata: str

class SavedAsset(Message):
    def __init__(self, **fields: Any) -> None: ...
    asset_file_def_index: int

class SavedFunction(Message):
    def __init__(self, **fields: Any) -> None: ...
    concrete_functions: MutableSequence[str]
    function_spec: Any

class SavedConcreteFunction(Message):
    def __init__(self, **fields: Any) -> None: ...
    bound_inputs: MutableSequence[int]
    canonicalized_input_signature: Any
    output_signature: Any

class SavedBareConcreteFunction(Message):
    def __init__(self, **fields: Any) -> None: ...
    concrete_function_name: str
    argument_keywords: MutableSequence[str]
    allowed_positional_arguments: int

class SavedConstant(Message):
    def __init__(self, **fields: Any) -> None: ...
    operation: str

class SavedVariable(Message):
    def __init__(self, **fields: Any) -> None: ...
    dtype: int
    shape: Any
    trainable: bool
    synchronization: int
    aggregation: int
    name: str

class FunctionSpec(Message):
    def __init__(self, **fields: Any) -> None: ...
    fullargspec: Any
    is_method: bool
    input_signature: Any

class SavedResource(Message):
    def __init__(self, **fields: Any) -> None: ...
    device: str

class SaverDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    CheckpointFormatVersion: Any
    LEGACY: int
    V1: int
    V2: int
    filename_tensor_name: str
    save_tensor_name: str
    restore_op_name: str
    max_to_keep: int
    sharded: bool
    keep_checkpoint_every_n_hours: float
    version: int

class MetaGraphDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class MetaInfoDef(Message):
        def __init__(self, **fields: Any) -> None: ...
        meta_graph_version: str
        stripped_op_list: Any
        any_info: Any
        tags: MutableSequence[str]
        tensorflow_version: str
        tensorflow_git_version: str
        stripped_default_attrs: bool

    meta_info_def: Any
    graph_def: Any
    saver_def: Any
    collection_def: MutableMapping[str, Any]
    signature_def: MutableMapping[str, Any]
    asset_file_def: Any
    object_graph_def: Any

class CollectionDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    class NodeList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[str]

    class BytesList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[bytes]

    class Int64List(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[int]

    class FloatList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: MutableSequence[float]

    class AnyList(Message):
        def __init__(self, **fields: Any) -> None: ...
        value: Any

    node_list: Any
    bytes_list: Any
    int64_list: Any
    float_list: Any
    any_list: Any

class TensorInfo(Message):
    def __init__(self, **fields: Any) -> None: ...
    class CooSparse(Message):
        def __init__(self, **fields: Any) -> None: ...
        values_tensor_name: str
        indices_tensor_name: str
        dense_shape_tensor_name: str

    class CompositeTensor(Message):
        def __init__(self, **fields: Any) -> None: ...
        type_spec: Any
        components: Any

    name: str
    coo_sparse: Any
    composite_tensor: Any
    dtype: int
    tensor_shape: Any

class SignatureDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    inputs: MutableMapping[str, Any]
    outputs: MutableMapping[str, Any]
    method_name: str

class AssetFileDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    tensor_info: Any
    filename: str

class SavedModel(Message):
    def __init__(self, **fields: Any) -> None: ...
    saved_model_schema_version: int
    meta_graphs: Any

class SpriteMetadata(Message):
    def __init__(self, **fields: Any) -> None: ...
    image_path: str
    single_image_dim: MutableSequence[int]

class EmbeddingInfo(Message):
    def __init__(self, **fields: Any) -> None: ...
    tensor_name: str
    metadata_path: str
    bookmarks_path: str
    tensor_shape: MutableSequence[int]
    sprite: Any
    tensor_path: str

class ProjectorConfig(Message):
    def __init__(self, **fields: Any) -> None: ...
    model_checkpoint_path: str
    embeddings: Any
    model_checkpoint_dir: str

class ServerDef(Message):
    def __init__(self, **fields: Any) -> None: ...
    cluster: Any
    job_name: str
    task_index: int
    default_session_config: Any
    protocol: str
