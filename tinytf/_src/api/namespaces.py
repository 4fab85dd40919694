"""Public names whose owners cannot declare them: namespaces without a module file, protocol messages, whole modules."""

from tinytf._src.exports import tf_export

tf_export("app").namespace("`tf.app`: runs a program with command-line flags.")
tf_export("audio").namespace("Audio files.")
tf_export("autograph").namespace("AutoGraph: converts Python's control flow to control flow of graphs.")
tf_export("autograph.experimental").namespace("Experimental parts of AutoGraph.")
tf_export("bitwise").namespace("Bitwise operations on integers.")
tf_export("compat").namespace("Conversions of strings and dimensions, and `tf.compat.v1`, the API of version 1.")
tf_export("compat.v2").namespace("The parts of the API of version 2 that differ from those of version 1.")
tf_export("compat.v2.data").namespace("`tf.data` of version 2, whose datasets make no iterators for graphs.")
tf_export("config").namespace("Settings of the process.")
tf_export("debugging").namespace("Assertions about tensors.")
tf_export("dtypes").namespace("Element types of tensors.")
tf_export("dtypes.experimental").namespace("Element types that TensorFlow 1 does not have.")
tf_export("estimator").namespace("Estimators: train, evaluate and export models that are written as functions.")
tf_export("estimator.experimental").namespace("Experimental parts of estimators.")
tf_export("estimator.export").namespace("Inputs and outputs of exported models.")
tf_export("estimator.inputs").namespace("Input functions for arrays and data frames.")
tf_export("experimental").namespace("Extensions that TensorFlow 1.15 does not have.")
tf_export("experimental.dlpack").namespace("Exchange of arrays with other libraries through DLPack.")
tf_export("image").namespace("Images.")
tf_export("initializers").namespace("Initializers of variables.")
tf_export("io").namespace("Input and output.")
tf_export("linalg").namespace("Linear algebra.")
tf_export("manip").namespace("Manipulation of tensors.")
tf_export("math").namespace("Mathematical functions.")
tf_export("nn").namespace("Neural networks: activations, convolutions, pooling, normalization, losses, embeddings.")
tf_export("queue").namespace("Queues.")
tf_export("random").namespace("Random tensors.")
tf_export("saved_model").namespace("`tf.saved_model`: exports and loads SavedModels.")
tf_export("saved_model.builder").namespace("Writes SavedModels.")
tf_export("saved_model.constants").namespace("Names of files and collections of SavedModels.")
tf_export("saved_model.loader").namespace("Loads SavedModels.")
tf_export("saved_model.main_op").namespace("Operations that SavedModels run when they are loaded.")
tf_export("saved_model.signature_constants").namespace(
    "Constants for signature keys, method names, inputs and outputs."
)
tf_export("saved_model.signature_def_utils").namespace("Functions that create signatures.")
tf_export("saved_model.tag_constants").namespace("Constants for the tags of SavedModels.")
tf_export("saved_model.utils").namespace("Functions that create and read the TensorInfo messages of signatures.")
tf_export("strings").namespace("String tensors.")
tf_export("data").namespace("`tf.data`: pipelines of elements that are read, transformed and iterated over.")
tf_export("data.experimental").namespace("Experimental parts of `tf.data`.")
tf_export("datasets").namespace("Small data sets that come with the package; nothing is downloaded.")
tf_export("eager").namespace(
    "Eager execution: sessions that execute operations as they are called and own their values."
)
tf_export("summary").namespace("Summaries of tensors, and event files for TensorBoard.")
tf_export("train").namespace("`tf.train`: optimizers, learning rates, moving averages and the global step.")
tf_export("train.experimental").namespace("Experimental parts of training.")
tf_export("train.queue_runner").namespace("Queue runners.")

tf_export("app.flags").module("tinytf.flags")
tf_export("compat.v1").module("tinytf.compat.v1")
tf_export("contrib").module("tinytf.contrib")
tf_export("core").module("tinytf.core")
tf_export("examples").module("tinytf.examples")
tf_export("python").module("tinytf.python")
tf_export("pywrap_tensorflow").module("tinytf.python.pywrap_tensorflow")
tf_export("raw_ops").module("tinytf._gen.raw_ops")
tf_export("test.mock").module("unittest.mock")
tf_export("version").module("tinytf.version")

tf_export("*").constants(
    "tinytf.version",
    "COMPILER_VERSION",
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
    "__version__",
)

tf_export("*").constants(
    "tinytf._src.protos",
    "AttrValue",
    "ConfigProto",
    "Event",
    "GPUOptions",
    "GraphDef",
    "GraphOptions",
    "HistogramProto",
    "LogMessage",
    "MetaGraphDef",
    "NameAttrList",
    "NodeDef",
    "OptimizerOptions",
    "RunMetadata",
    "RunOptions",
    "SessionLog",
    "Summary",
    "SummaryMetadata",
    "TensorInfo",
)
tf_export("train.*").constants(
    "tinytf._src.protos",
    "BytesList",
    "ClusterDef",
    "Example",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FloatList",
    "Int64List",
    "JobDef",
    "SaverDef",
    "SequenceExample",
    "ServerDef",
)

tf_export("summary.*").constants(
    "tinytf._src.protos",
    "Event",
    "SessionLog",
    "Summary",
    "SummaryDescription",
    "TaggedRunMetadata",
)

tf_export("estimator.*").constants("tinytf._src.monitored_session.checkpoint_saver_hook", "CheckpointSaverHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.checkpoint_saver_listener", "CheckpointSaverListener")
tf_export("estimator.*").constants("tinytf._src.monitored_session.feed_and_final_hooks", "FeedFnHook", "FinalOpsHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.global_step_waiter_hook", "GlobalStepWaiterHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.logging_tensor_hook", "LoggingTensorHook")
tf_export("estimator.*").constants(
    "tinytf._src.monitored_session.nan_tensor_hook", "NanLossDuringTrainingError", "NanTensorHook"
)
tf_export("estimator.*").constants("tinytf._src.monitored_session.profiler_hook", "ProfilerHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.step_counter_hook", "StepCounterHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.stop_at_step_hook", "StopAtStepHook")
tf_export("estimator.*").constants("tinytf._src.monitored_session.summary_saver_hook", "SummarySaverHook")
tf_export("estimator.*").constants("tinytf._src.checkpoint.warm_starting", "VocabInfo")
tf_export("estimator.*").constants("tinytf._src.training.second_or_step_timer", "SecondOrStepTimer")
tf_export("estimator.*").constants(
    "tinytf._src.training.session_run_hook",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
)
