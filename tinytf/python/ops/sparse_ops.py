"""TensorFlow's path to SparseTensor functions, among them the ops that store SparseTensors in a session."""

from tinytf._src.ops.sparse.serialized import add_many_sparse_to_tensors_map as _add_many_sparse_to_tensors_map
from tinytf._src.ops.sparse.serialized import add_many_sparse_to_tensors_map as add_many_sparse_to_tensors_map
from tinytf._src.ops.sparse.serialized import add_sparse_to_tensors_map as _add_sparse_to_tensors_map
from tinytf._src.ops.sparse.serialized import take_many_sparse_from_tensors_map as _take_many_sparse_from_tensors_map
from tinytf._src.ops.sparse.serialized import take_many_sparse_from_tensors_map as take_many_sparse_from_tensors_map
from tinytf.python.paths import other_names as _other_names

__all__ = [
    "_add_many_sparse_to_tensors_map",
    "_add_sparse_to_tensors_map",
    "_take_many_sparse_from_tensors_map",
]

__getattr__ = _other_names(globals())
