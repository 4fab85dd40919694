"""Rows of set ops, and of sums and shapes of sparse tensors."""

import numpy as np
from op_table import Row

INDICES = np.array([[0, 0], [0, 2], [1, 1], [1, 2]])
OTHERS = np.array([[0, 1], [0, 2], [1, 1]])
SIZES = np.array([2, 3])
REALS = ("float32", "float64", "int8", "int16", "int32", "int64")
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
    """The components of the sparse result."""
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


def _to_dense(indices, sizes, values, missing, validate_indices=True):
    dense = np.full(tuple(np.atleast_1d(sizes)), missing)
    dense[tuple(np.reshape(indices, (-1, dense.ndim)).T)] = values
    return dense


def _product(indices, values, sizes, b, adjoint_a=False, adjoint_b=False):
    a = np.zeros(tuple(sizes), np.result_type(values, np.int32))
    np.add.at(a, tuple(indices.T), values)
    return np.matmul(a.T if adjoint_a else a, b.conj().T if adjoint_b else b)


def _sparse_add(i, x, shape, j, y, shape_again, thresh):
    total = {}
    for indices, values in ((i, x), (j, y)):
        for index, value in zip(map(tuple, indices), values, strict=True):
            total[index] = total[index] + value if index in total else value
    kept = sorted(total)
    return np.array(kept).reshape(-1, len(shape)), np.array([total[index] for index in kept], x.dtype), shape


def _sparse_add_grad(grad, i, j, summed):
    places = {tuple(index): place for place, index in enumerate(summed)}
    return tuple(np.array([grad[places[tuple(index)]] for index in indices], grad.dtype) for indices in (i, j))


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
    Row("SparseToDense", _to_dense, (((4, 2), (2,), (4,), ()), ((4, 2), (2,), (), ())), fixed={0: INDICES, 1: SIZES}),
    Row(
        "SparseToDense",
        _to_dense,
        (((3,), (1,), (3,), ()),),
        ("float32", "int64"),
        fixed={0: np.array([1, 2, 4], np.int32), 1: np.array([6], np.int32)},
    ),
    Row(
        "SparseToDense",
        _to_dense,
        (((3,), (1,), (3,), ()),),
        ("float64", "bool"),
        fixed={0: np.array([4, 2, 2]), 1: np.array([6])},
        attrs={"validate_indices": False},
        grad=False,  # an overwritten value gets the gradient of the final one, as in TensorFlow
    ),
    *(
        Row(
            "SparseTensorDenseMatMul",
            _product,
            tuple(((4, 2), (4,), (2,), shape[:: -1 if adjoint_b else 1]) for shape in shapes),
            fixed={0: INDICES, 2: SIZES},
            attrs={"adjoint_a": adjoint_a, "adjoint_b": adjoint_b},
            tol=4,
            complex_grad=False,  # TensorFlow transposes where it should conjugate
        )
        for adjoint_a, shapes in ((False, ((3, 5), (3, 0))), (True, ((2, 4), (2, 1))))
        for adjoint_b in (False, True)
    ),
    Row(
        "SparseTensorDenseMatMul",
        _product,
        (((3, 2), (3,), (2,), (4, 3)),),
        ("float32", "int32"),
        fixed={0: np.array([[1, 3], [1, 3], [0, 0]], np.int32), 2: np.array([2, 4])},
        tol=4,
    ),
    Row("SparseTensorDenseAdd", _dense_add, (((4, 2), (4,), (2,), (2, 3)),), fixed={0: INDICES, 2: SIZES}, tol=2),
    Row(
        "SparseTensorDenseAdd",
        _dense_add,
        (((2, 2), (2,), (2,), (2, 3)),),
        ("float32", "float64", "int32"),
        fixed={0: np.array([[1, 1], [1, 1]], np.int32), 2: SIZES.astype(np.int32)},
        tol=2,
    ),
    Row(
        "SparseAdd",
        _sparse_add,
        (((4, 2), (4,), (2,), (3, 2), (3,), (2,), ()),),
        REALS,
        fixed={0: INDICES, 2: SIZES, 3: OTHERS, 5: SIZES, 6: 0},
        dynamic=True,
        grad_inputs=(1, 4),
        grad_output=1,
    ),
    *(
        Row(
            "SparseAdd",
            _sparse_add,
            (((4, 2), (4,), (2,), (3, 2), (3,), (2,), ()),),
            (dtype,),
            fixed={0: INDICES, 2: SIZES, 3: OTHERS, 5: SIZES, 6: np.zeros((), real)},
            dynamic=True,
            grad_inputs=(1, 4),
            grad_output=1,
        )
        for dtype, real in (("complex64", np.float32), ("complex128", np.float64))
    ),
    Row(
        "SparseAddGrad",
        _sparse_add_grad,
        (((5,), (4, 2), (3, 2), (5, 2)),),
        fixed={1: INDICES, 2: OTHERS, 3: np.array([[0, 0], [0, 1], [0, 2], [1, 1], [1, 2]])},
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
