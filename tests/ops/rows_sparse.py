"""Rows of sets and of sums and shapes of sparse tensors."""

import numpy as np
from op_table import Row

INDICES = np.array([[0, 0], [0, 2], [1, 1], [1, 2]])
SIZES = np.array([2, 3])
SETS = {
    "union": np.union1d,
    "intersection": np.intersect1d,
    "a-b": np.setdiff1d,
    "b-a": lambda a, b: np.setdiff1d(b, a),
}


def _dense_sets(x):
    return {group: x[group] for group in np.ndindex(x.shape[:-1])}


def _sparse_sets(indices, values, shape):
    groups = [tuple(index[:-1]) for index in indices]
    return {
        group: values[[i for i, other in enumerate(groups) if other == group]]
        for group in np.ndindex(tuple(shape[:-1]))
    }


def _combined(first, second, shape, set_operation, dtype):
    """The parts of the sparse result."""
    found = {group: SETS[set_operation](first[group], second[group]) for group in first}
    indices = [(*group, k) for group, elements in found.items() for k in range(len(elements))]
    values = [element for elements in found.values() for element in elements]
    largest = max((len(elements) for elements in found.values()), default=0)
    return (
        np.array(indices, np.int64).reshape(-1, len(shape) + 1),
        np.array(values, dtype),
        np.array([*shape, largest], np.int64),
    )


def _dense_to_dense(a, b, set_operation):
    return _combined(_dense_sets(a), _dense_sets(b), a.shape[:-1], set_operation, a.dtype)


def _dense_to_sparse(a, *b, set_operation):
    return _combined(_dense_sets(a), _sparse_sets(*b), a.shape[:-1], set_operation, a.dtype)


def _sparse_to_sparse(*parts, set_operation):
    sets = _sparse_sets(*parts[:3]), _sparse_sets(*parts[3:])
    return _combined(*sets, tuple(parts[2][:-1]), set_operation, parts[1].dtype)


def _sizes(*parts):
    sets = _sparse_sets(*parts)
    sizes = [len(np.unique(elements)) for elements in sets.values()]
    return np.array(sizes, np.int32).reshape(tuple(parts[2][:-1]))


def _dense_add(indices, values, shape, dense):
    total = dense.copy()
    np.add.at(total, tuple(indices.T), values)
    return total


def _reshape(indices, shape, new_shape):
    sizes = np.empty(tuple(shape)).reshape(tuple(new_shape)).shape
    places = np.ravel_multi_index(tuple(indices.T), tuple(shape))
    return np.stack(np.unravel_index(places, sizes), 1), np.array(sizes)


ROWS = [
    *(
        row
        for name in SETS
        for row in (
            Row(
                "DenseToDenseSetOperation",
                _dense_to_dense,
                (((2, 5), (2, 3)), ((0, 3), (0, 2)), ((2, 2, 3), (2, 2, 1)), ((3, 0), (3, 2))),
                domain=(0, 6),
                attrs={"set_operation": name},
                dynamic=True,
            ),
            Row(
                "DenseToSparseSetOperation",
                _dense_to_sparse,
                (((2, 5), (4, 2), (4,), (2,)),),
                domain=(0, 6),
                fixed={1: INDICES, 3: SIZES},
                attrs={"set_operation": name},
                dynamic=True,
            ),
            Row(
                "SparseToSparseSetOperation",
                _sparse_to_sparse,
                (((4, 2), (4,), (2,), (4, 2), (4,), (2,)),),
                domain=(0, 6),
                fixed={0: INDICES, 2: SIZES, 3: INDICES, 5: SIZES},
                attrs={"set_operation": name},
                dynamic=True,
            ),
        )
    ),
    Row("SetSize", _sizes, (((4, 2), (4,), (2,)),), domain=(0, 3), fixed={0: INDICES, 2: SIZES}, dynamic=True),
    Row("SparseTensorDenseAdd", _dense_add, (((4, 2), (4,), (2,), (2, 3)),), fixed={0: INDICES, 2: SIZES}, tol=2),
    Row(
        "SparseTensorDenseAdd",
        _dense_add,
        (((2, 2), (2,), (2,), (2, 3)),),
        ("float32", "float64", "int32"),
        fixed={0: np.array([[1, 1], [1, 1]], np.int32), 2: SIZES.astype(np.int32)},
        tol=2,
    ),
    *(
        Row(
            "SparseReshape",
            _reshape,
            (((4, 2), (2,), new_shape.shape),),
            fixed={0: INDICES, 1: SIZES, 2: new_shape},
        )
        for new_shape in (np.array([3, 2]), np.array([-1]), np.array([1, 6, 1]), np.array([2, 3]))
    ),
]
