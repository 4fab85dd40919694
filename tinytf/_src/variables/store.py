"""The variables created by `get_variable` in a graph, whole and partitioned, and the rules of sharing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import add_to_collections, colocate_with, name_scope
from tinytf._src.framework.sites.creation_line import is_users_file
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.variables import initializers
from tinytf._src.variables.creation import make_variable
from tinytf._src.variables.partitioned_variable import PartitionedVariable
from tinytf._src.variables.partitioners import PartitionInfo, call_partitioner, slices
from tinytf._src.variables.save_slice_info import SaveSliceInfo
from tinytf._src.variables.scope_defaults import AUTO_REUSE
from tinytf._src.variables.support import collection_names


class VariableStore:
    """The variables of a graph by full name.

    Args:
      keeps_eager_variables: whether variables created in eager mode are kept, so that later calls find them.
    """

    def __init__(self, keeps_eager_variables: bool = False) -> None:
        self.keeps_eager_variables = keeps_eager_variables
        self.variables: dict[str, Any] = {}
        self.partitioned: dict[str, PartitionedVariable] = {}

    def get(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        partitioner: Any = None,
        **creation: Any,
    ) -> Any:
        """Finds or creates the variable `name`; custom getters receive this method as `getter`.

        Raises ValueError with TensorFlow's messages if the reuse rules are violated or an existing variable does not
        fit.

        Args:
          reuse: True (must exist), AUTO_REUSE, or False (must be new).
          partitioner: creates a PartitionedVariable, unless `shape` is a scalar's.
          creation: options of tf.Variable.
        """
        dtype = dtypes.as_dtype(dtype).base_dtype
        if executing_eagerly():
            if self.keeps_eager_variables:
                reuse = AUTO_REUSE
            elif reuse:
                raise RuntimeError(
                    "When eager execution is enabled variable reuse is only supported when an EagerVariableStore is "
                    "active. See the documentation on EagerVariableStore for example usage."
                )
        if partitioner is not None and not (isinstance(shape, Sequence) and not shape):
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
            with name_scope(None):
                return self._partitions(name, shape, dtype, initializer, regularizer, reuse, partitioner, creation)
        if partitioner is None and reuse is True and name in self.partitioned:
            return self._shared_partitions(name, as_shape(shape), dtype, None)
        if f"{name}/part_0" in self.variables:
            raise ValueError(
                f"No partitioner was provided, but a partitioned version of the variable was found: {name}/part_0. "
                "Perhaps a variable of the same name was already created with partitioning?"
            )
        return self._whole(name, shape, dtype, initializer, regularizer, reuse, None, creation)

    # -- Variables of one piece --------------------------------------------------------------------------------------

    def _whole(
        self,
        name: str,
        shape: Any,
        dtype: dtypes.DType,
        initializer: Any,
        regularizer: Any,
        reuse: Any,
        info: PartitionInfo | None,
        creation: dict[str, Any],
    ) -> Any:
        if shape is not None and initializer is not None and not callable(initializer):
            raise ValueError("If initializer is a constant, do not specify shape.")
        shape = as_shape(shape)
        kept = self.keeps_eager_variables or not executing_eagerly()
        found = self.variables.get(name) if kept else None
        if found is not None:
            return _checked(name, found, shape, dtype, reuse)
        if reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        value, value_dtype = _initial_value(name, shape, dtype, initializer, info)
        variable = make_variable(initial_value=value, name=name, dtype=value_dtype, **creation)
        if kept:
            self.variables[name] = variable
            if executing_eagerly():  # otherwise they join no collection, which would keep them alive
                add_to_collections(collection_names(creation.get("collections"), variable.trainable), variable)
        if regularizer is not None:
            with (
                name_scope(name + "/Regularizer/"),
                colocate_with(None if executing_eagerly() else variable.op),
                init_scope(),
            ):
                loss = regularizer(variable)
            if loss is not None:
                get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    # -- Partitioned variables ---------------------------------------------------------------------------------------

    def _partitions(
        self,
        name: str,
        shape: Any,
        dtype: dtypes.DType,
        initializer: Any,
        regularizer: Any,
        reuse: Any,
        partitioner: Any,
        creation: dict[str, Any],
    ) -> PartitionedVariable:
        if name in self.variables:
            raise ValueError(
                f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  Perhaps a "
                "variable of the same name was already created without partitioning?"
            )
        shape = as_shape(shape)
        if isinstance(initializer, Tensor):
            shape = shape.merge_with(initializer.get_shape())
        counts = call_partitioner(partitioner, shape, dtype)
        if name in self.partitioned:
            if not reuse:
                raise ValueError(
                    f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            return self._shared_partitions(name, shape, dtype, counts)
        if reuse is True:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). Did you mean to "
                "set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
            )
        pieces = list(slices(shape.as_list(), counts))
        self._check_shards(name, len(pieces))
        made = []
        for i, (offset, piece_shape) in enumerate(pieces):
            info = PartitionInfo(shape.as_list(), offset)
            piece_name = f"{name}/part_{i}"
            if initializer is None:
                initializer = default_initializer(name, dtype)
            if callable(initializer):
                given, given_shape = initializer, piece_shape
            else:  # each piece starts with a slice of the constant
                with name_scope(piece_name + "/PartitionedInitializer"):
                    constant = initializer if isinstance(initializer, Tensor) else convert_to_tensor(initializer, dtype)
                    given, given_shape = gen_ops.slice(constant, offset, piece_shape), None
                dtype = given.dtype.base_dtype
            with name_scope(None):
                piece = self._whole(piece_name, given_shape, dtype, given, regularizer, reuse, info, creation)
            piece._set_save_slice_info(SaveSliceInfo(name, shape.as_list(), offset, piece_shape))
            made.append(piece)
        whole = PartitionedVariable(name, shape, dtype, made, counts)
        if self.keeps_eager_variables or not executing_eagerly():
            self.partitioned[name] = whole
        return whole

    def _shared_partitions(
        self, name: str, shape: TensorShape, dtype: dtypes.DType, counts: Sequence[int] | None
    ) -> PartitionedVariable:
        """The existing variable, after checking that it fits; `counts` None skips the check of the partitions."""
        found = self.partitioned[name]
        wrong = f"Trying to reuse partitioned variable {name}, but specified"
        if not shape.is_compatible_with(found.get_shape()):
            raise ValueError(f"{wrong} shape {shape} and found shape {found.get_shape()}.")
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(f"{wrong} dtype {dtype.name} and found dtype {found.dtype.name}.")
        if counts is not None and list(found._get_partitions()) != list(counts):
            raise ValueError(f"{wrong} partitions {counts} and found partitions {found._get_partitions()}.")
        return found

    def _check_shards(self, name: str, count: int) -> None:
        """Checks that the number of pieces that exist as separate variables equals the partitioner's."""
        if f"{name}/part_0" not in self.variables:
            return
        wrong = (
            "Partitioner returned a different partitioning than what was already found.  Partitioner returned "
            f"{count} shards, and shard {name}/part_0 was found, but"
        )
        if f"{name}/part_{count - 1}" not in self.variables:
            raise ValueError(f"{wrong} {name}/part_{count - 1} was not.")
        if f"{name}/part_{count}" in self.variables:
            raise ValueError(f"{wrong} so was the extra shard {name}/part_{count}.")


def _checked(name: str, found: Any, shape: TensorShape, dtype: dtypes.DType, reuse: Any) -> Any:
    """An existing variable, after checking that it may be shared and fits."""
    if not reuse:
        frames = [f for f in found.op.traceback if is_users_file(f[0])][-5:]
        where = "".join(
            f'  File "{file}", line {line}, in {function}\n    {code}\n'
            for file, line, function, code in reversed(frames)
        )
        raise ValueError(
            f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
            f"VarScope? Originally defined at:\n\n{where}"
        )
    if not shape.is_compatible_with(found.get_shape()):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {shape} and found shape {found.get_shape()}."
        )
    if not dtype.is_compatible_with(found.dtype.base_dtype):
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype {found.dtype.name}."
        )
    return found


def _initial_value(
    name: str, shape: TensorShape, dtype: dtypes.DType, initializer: Any, info: PartitionInfo | None
) -> tuple[Any, Any]:
    """The initial value, or a function that creates it, and the dtype to convert it to. Raises ValueError if the shape
    is missing."""
    if initializer is None:
        initializer = default_initializer(name, dtype)
    if not callable(initializer):  # a constant
        return initializer, None
    if isinstance(initializer, type):
        initializer = initializer()
    if shape.is_fully_defined():
        sizes = shape.as_list()
        if accepts_keyword(initializer, "partition_info"):
            return (lambda: initializer(sizes, dtype=dtype, partition_info=info)), dtype
        return (lambda: initializer(sizes, dtype=dtype)), dtype
    if _needs_arguments(initializer):
        raise ValueError(
            "The initializer passed is not valid. It should be a callable with no arguments and the shape should not be "
            "provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
        )
    return initializer, None


def default_initializer(name: str, dtype: dtypes.DType) -> Any:
    """glorot_uniform for floating-point types, zeros for integers, bool and strings. Raises ValueError for other
    types."""
    if dtype.is_floating:
        return initializers.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
        return initializers.zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype} is required")


def accepts_keyword(function: Callable[..., Any], name: str) -> bool:
    """Whether the function accepts a keyword argument of this name."""
    code = getattr(function, "__code__", None)
    if code is not None:  # the common case, many times faster than inspect.signature
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return name in named or bool(code.co_flags & inspect.CO_VARKEYWORDS)
    parameters = _parameters(function)
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _needs_arguments(function: Callable[..., Any]) -> bool:
    return any(p.default is p.empty and p.kind not in _VARIADIC for p in _parameters(function).values())


_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The function's parameters by name; empty if they cannot be inspected."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}
