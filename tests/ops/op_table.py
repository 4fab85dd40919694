"""The table of ops under test: the contents of a row, its inputs, and its nodes.

A file `rows_<family>.py` defines `ROWS`, a list of `Row`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import op_def
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes

FLOATS = ("float16", "float32", "float64")
COMPLEXES = ("complex64", "complex128")
INTS = ("int32", "int64")
SMALL_INTS = ("int8", "int16", "uint8", "uint16")
REALS = (*FLOATS, "bfloat16", *INTS, *SMALL_INTS)
NUMBERS = (*REALS, *COMPLEXES)
ANY = (*NUMBERS, "bool", "uint32", "uint64")  # the dtypes to try for kernels without a type list


Shape = Any  # a tuple of ints; a list of such tuples for an input that is a list of tensors
UNARY: tuple[tuple[Shape, ...], ...] = (((),), ((0,),), ((7,),), ((3, 0, 2),), ((5, 37),))
BROADCAST: tuple[tuple[Shape, ...], ...] = (
    ((), ()),
    ((7,), (7,)),
    ((4, 33), (33,)),
    ((33,), ()),
    ((), (2, 9)),
    ((4, 1), (1, 9)),
    ((2, 3, 5), (3, 1)),
    ((0, 3), (3,)),
    ((2, 1, 3, 1, 2), (4, 1, 2, 1)),
)


@dataclass(frozen=True)
class Row:
    """One op.

    ref: the expected output, or tuple of outputs, from arrays in wide precision (float64 or complex128 for floating
    inputs, the op's own type for others); it gets the attrs as keywords. A list input is one argument.
    shapes: input shapes, one tuple of shapes for each case.
    dtypes: types of the inputs that `fixed` does not replace; every type with a registered kernel if None.
    domain: range of the random input values, also of integers.
    fixed: input number → array, number of the case's type, or function (generator, shape, inputs so far) → array of the
    case's type, used instead of random values. Arrays become constants of the graph where shapes depend on them.
    attrs: attrs of the node that are not inferred.
    tol: factor on the tolerance of the type.
    special: whether floating inputs include NaN and infinities.
    dynamic: whether the output shape depends on values that are not `fixed`.
    grad: whether the registered gradient is compared with finite differences; if False, a comment gives the reason.
    complex_grad: the same for complex numbers.
    grad_inputs: numbers of the inputs to differentiate by; every floating one if None.
    grad_output: number of the output that is differentiated.
    more_types: types of the op's attrs that a program tests with each dtype.
    program: for an op whose values cannot be inputs or outputs of a case, such as handles: a function (node, inputs) →
        outputs that creates a node of the op with `node(inputs, more attrs)`, and others with `other_node`.
    version: of the GraphDef, if another op of the program has been removed from later ones, too.
    eager: whether eager execution, too, runs the op; if False, a comment gives the reason.
    repeats: whether the op yields the same values each time.
    has_loops: whether the op may run loops that instruction sets have in their own versions.
    sized: numbers of the inputs whose shapes have to be known while a graph is built.
    """

    op: str
    ref: Callable[..., Any]
    shapes: tuple[tuple[Shape, ...], ...] = UNARY
    dtypes: tuple[str, ...] | None = None
    domain: tuple[float, float] = (-4, 4)
    fixed: dict[int, Any] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)
    tol: float = 1
    special: bool = False
    dynamic: bool = False
    grad: bool = True
    complex_grad: bool = True
    grad_inputs: tuple[int, ...] | None = None
    grad_output: int = 0
    more_types: tuple[str, ...] = ()
    program: Callable[..., Any] | None = None
    version: int | None = None
    eager: bool = True
    repeats: bool = True
    has_loops: bool = True
    sized: tuple[int, ...] = ()

    def types(self) -> tuple[str, ...]:
        """The dtypes to test."""
        return registered_types(self.op) if self.dtypes is None else self.dtypes

    def cases(self) -> list[tuple[str, tuple[Shape, ...]]]:
        """Every combination of dtype and shapes."""
        return [(dtype, shapes) for dtype in self.types() for shapes in self.shapes]


def fixed_row(op: str, inputs: list[Any], outputs: Any, attrs: dict[str, Any] | None = None, **more: Any) -> Row:
    """A row with one case, whose inputs and outputs are given: of ops on strings, and of others for which NumPy has no
    reference. Bytes and lists with bytes become arrays of strings; a tuple is an input that is a list of tensors.
    """
    arrays = {
        i: [_array(v) for v in value] if isinstance(value, tuple) else _array(value) for i, value in enumerate(inputs)
    }
    shapes = tuple([()] if isinstance(value, tuple) else () for value in inputs)
    return Row(
        op,
        lambda *_, **__: tuple(map(_array, outputs if isinstance(outputs, tuple) else (outputs,))),
        (shapes,),
        fixed=arrays,
        attrs=attrs or {},
        **{"dtypes": ("string",), "grad": False, "has_loops": False, **more},
    )


def _array(value: Any) -> np.ndarray:
    leaf = value
    while isinstance(leaf, list) and leaf:
        leaf = leaf[0]
    return np.array(value, object if isinstance(leaf, bytes) else None)  # an array of bytes would lose zeros at the end


def all_rows() -> Iterator[tuple[str, Row]]:
    """Yields every row with a unique name."""
    for path in sorted(Path(__file__).parent.glob("rows_*.py")):
        for number, row in enumerate(importlib.import_module(path.stem).ROWS):
            yield f"{row.op}-{number}", row


def random_rows() -> Iterator[tuple[str, Row]]:
    """Yields every row of an op that draws (`random_table.py`) with a unique name."""
    for number, row in enumerate(importlib.import_module("random_rows").ROWS):
        yield f"{row.op}-{number}", row


def runnable_rows() -> Iterator[tuple[str, Row]]:
    """Yields every row, with a reference or random."""
    yield from all_rows()
    yield from random_rows()


def registered_types(op: str) -> tuple[str, ...]:
    """The types with a kernel of the op, by its attr T or else its first type attr; without strings."""
    definition = _core.op_def(op)
    if definition is None:
        return ()
    arguments = [*definition["inputs"], *definition["outputs"]]
    attrs = [a[2] for a in arguments if a[2]]
    if "T" not in attrs and arguments and arguments[0][1]:  # the dtype is fixed
        return tuple(name for name in _names([arguments[0][1]]) if name in ANY)
    if not attrs:
        return ("float32",)
    attr = "T" if "T" in attrs else attrs[0]
    declared = _declared(definition, attr)
    found: set[str] = set()
    for kernel in definition["kernels"]:
        found.update(set(_names(kernel[attr])) & set(declared) if attr in kernel else declared)
    return tuple(sorted(found))


def _declared(definition: dict[str, Any], attr: str | None) -> tuple[str, ...]:
    allowed = next((a[4] for a in definition["attrs"] if a[0] == attr), [])
    return tuple(name for name in _names(allowed) if name in ANY) if allowed else ANY


def _names(numbers: Any) -> list[str]:
    return [dtypes.as_dtype(n).name for n in numbers]


def numpy_type(dtype: str) -> Any:
    """The NumPy dtype for a dtype name."""
    return np.dtype(dtypes.as_dtype(dtype).as_numpy_dtype)


def _wide(value: Any) -> Any:
    """The array in the precision in which references are computed."""
    if isinstance(value, list):
        return [_wide(v) for v in value]
    if value.dtype.kind == "c":
        return value.astype(np.complex128)
    if value.dtype.kind == "f" or value.dtype.name == "bfloat16":
        return value.astype(np.float64)
    return value


def _draw(row: Row, dtype: str, shape: Shape, rng: np.random.Generator) -> np.ndarray:
    low, high = row.domain
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype == "string":
        return np.array([b"abcdefgh"[: int(n)] for n in rng.integers(0, 8, int(np.prod(shape)))], object).reshape(shape)
    kind = numpy_type(dtype)
    if kind.kind in "iu":
        low = max(low, 0) if kind.kind == "u" else low
        return rng.integers(int(np.ceil(low)), int(high) + 1, shape).astype(kind)
    values = np.asarray(rng.uniform(low, high, shape))
    if kind.kind == "c":
        return np.asarray(values + 1j * rng.uniform(low, high, shape)).astype(kind)
    if row.special and values.size > 4:
        values.flat[:3] = [np.nan, np.inf, -np.inf]
    return values.astype(kind)


def inputs_of(row: Row, dtype: str, shapes: tuple[Shape, ...], seed: int = 0) -> list[Any]:
    """The input arrays of one case; a list of arrays for a list input."""
    rng = np.random.default_rng(seed)
    arrays: list[Any] = []
    for i, shape in enumerate(shapes):
        value = row.fixed.get(i)
        if value is None:
            draw = (
                [_draw(row, dtype, s, rng) for s in shape] if isinstance(shape, list) else _draw(row, dtype, shape, rng)
            )
            arrays.append(draw)
        elif callable(value):
            arrays.append(np.asarray(value(rng, shape, arrays)).astype(numpy_type(dtype)))
        elif isinstance(value, (np.ndarray, list)):
            arrays.append(value)
        else:
            arrays.append(np.full(shape, value, numpy_type(dtype)))
    return arrays


# -- Building ----------------------------------------------------------------------------------------------------------


def graph_of(row: Row) -> Graph:
    """A new graph for the row; if the op has been removed, of a version that still had it."""
    graph, version = Graph(), _version(row)
    if version is not None:
        with graph.as_default():
            import_graph_def(protos.GraphDef(versions={"producer": version}))
    return graph


def after(made: Any, build: Callable[[], Any]) -> Any:
    """The nodes that the function builds, which run after those that are `made`."""
    with control_dependencies([m for m in _flat([made]) if m is not None]):
        return build()


def _version(row: Row) -> int | None:
    return row.version or _last_version(row.op)


@functools.cache
def _last_version(op: str) -> int | None:
    """The last version of GraphDefs with the op, if it has been removed."""
    removal = op_def(op).deprecation.version
    return removal - 1 if removal else None


def other_node(op: str, *inputs: Any, **attrs: Any) -> Any:
    """A node of another op than the row's, for its program."""
    return apply_op(op_spec(op), None, inputs, attrs)


def _map(function: Callable[[np.ndarray], Any], value: Any) -> Any:
    return [function(v) for v in value] if isinstance(value, list) else function(value)


def _placeholder(array: np.ndarray, shape: Any) -> Tensor:
    return apply_op(op_spec("Placeholder"), None, (), {"dtype": dtypes.as_dtype(array.dtype), "shape": shape})


def _of_unknown_shape(row: Row, inputs: list[Any]) -> list[Any]:
    """Placeholders for the inputs, of unknown rank where the row allows it."""
    return [_map(lambda a, i=i: _placeholder(a, a.shape if i in row.sized else None), v) for i, v in enumerate(inputs)]


def _fully_known(array: np.ndarray) -> Tensor:
    return _placeholder(array, array.shape)


def _constant(array: np.ndarray) -> Tensor:
    return constant(array, dtypes.as_dtype(array.dtype))


def _is_constant(row: Row, i: int) -> bool:
    return isinstance(row.fixed.get(i), (np.ndarray, list))


def _apply(row: Row, inputs: list[Any]) -> list[Tensor]:
    def node(*given: Any, **more: Any) -> Any:
        return apply_op(op_spec(row.op), None, given, {**more, **row.attrs})

    outputs = node(*inputs) if row.program is None else row.program(node, *inputs)
    flat = _flat(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    return [output for output in flat if output is not None and not isinstance(output, Operation)]


def _flat(nested: Any) -> list[Any]:
    return [x for item in nested for x in (_flat(item) if isinstance(item, (list, tuple)) else [item])]


def is_executable(row: Row) -> bool:
    """Whether the op can be executed eagerly; ops with reference arguments and removed ops cannot."""
    spec = op_spec(row.op)
    has_references = any(arg.is_ref for arg in (*spec.inputs, *spec.outputs))
    return row.eager and _version(row) is None and not has_references


def _bits(value: Any) -> tuple[tuple[int, ...], Any]:
    array = np.asarray(value)
    if array.size == 0:
        return array.shape, b""
    return array.shape, array.tolist() if array.dtype.kind in "OS" else array.tobytes()
