"""The version of the package: the build reads it from this file, and no other file repeats it. As `tf.version`, what
programs ask for: the TensorFlow whose programs run, and the versions of its graphs."""

__version__ = "0.1.0"

__all__ = [
    "COMPILER_VERSION",
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
]

VERSION = "1.15.5"
GIT_VERSION = f"tinytf {__version__}"
COMPILER_VERSION = "unknown"  # the engine does not keep it
GRAPH_DEF_VERSION = 134  # what a GraphDef says that was made here
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0
