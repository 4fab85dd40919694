"""TensorFlow's path to graphs, operations and tensors, and to the functions that work on the default graph."""

from tinytf.framework.conversion import *
from tinytf.framework.default_graph import *
from tinytf.framework.graph import Graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.indexed_slices import *
from tinytf.framework.name_scope import *
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.registry import *
from tinytf.python.paths import other_names as _other_names
from tinytf.saving.collection_protos import *

__getattr__ = _other_names(globals())
