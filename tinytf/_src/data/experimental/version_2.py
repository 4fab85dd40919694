"""The names of `tf.compat.v2.data.experimental` that mean the same as in `tf.data.experimental`."""

from tinytf._src.exports import tf_export

tf_export("compat.v2.data.experimental").namespace("Experimental parts of `tf.data` of version 2.")

tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.function_methods", "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY"
)
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.dataset", "from_variant", "to_variant")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.inspection", "get_structure")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.optionals", "Optional", "get_next_as_optional")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.options.distribute_options", "DistributeOptions")
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.options.optimization_options", "MapVectorizationOptions", "OptimizationOptions"
)
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.options.stats_options", "StatsOptions")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.options.threading_options", "ThreadingOptions")

tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.batches", "dense_to_sparse_batch", "map_and_batch"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.buckets", "bucket_by_sequence_length"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.device_copies", "copy_to_device", "prefetch_to_device"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.filters", "ignore_errors", "take_while", "unique"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.grouping", "Reducer", "group_by_reducer"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.interleaving", "parallel_interleave"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.iterator_checkpoints", "CheckpointInputPipelineHook", "make_saveable_from_iterator"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.method_forms", "enumerate_dataset", "unbatch"
)
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.parsing", "parse_example_dataset")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.resampling", "rejection_resample")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.scans", "scan")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.shuffles", "shuffle_and_repeat")
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.single_elements", "cardinality", "get_single_element"
)
tf_export("compat.v2.data.experimental.*").constants(
    "tinytf._src.data.experimental.statistics", "bytes_produced_stats", "latency_stats"
)
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.windows", "group_by_window")
tf_export("compat.v2.data.experimental.*").constants("tinytf._src.data.experimental.writers", "TFRecordWriter")
