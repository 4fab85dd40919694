"""`tf.contrib.util`: conversion of arrays to and from `TensorProto`, and the ops used by a `GraphDef`."""

from tinytf import get_static_value as constant_value
from tinytf import make_ndarray, make_tensor_proto
from tinytf.python.framework.meta_graph import ops_used_by_graph_def, stripped_op_list_for_graph
from tinytf.python.missing import no_other_names

__all__ = [
    "constant_value",
    "make_ndarray",
    "make_tensor_proto",
    "ops_used_by_graph_def",
    "stripped_op_list_for_graph",
]
__getattr__ = no_other_names(__name__)
