"""`Tensor`: an output of a graph operation, and the base class of eager tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from tinytf._core import TensorFields
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.autograph_status import Status, status
from tinytf._src.framework.errors import error_traceback, errors_impl
from tinytf._src.framework.graph.bases import BaseTensor
from tinytf._src.framework.graph.eval_session import eval_session
from tinytf._src.framework.values import dtypes, tensor_like
from tinytf._src.framework.values.reference import Reference
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape

if TYPE_CHECKING:
    from tinytf._src.framework.graph.graph import Graph
    from tinytf._src.framework.graph.operation import Operation
    from tinytf._src.framework.graph.type_hints import TensorOperators as _Operators
else:
    _Operators = object

_NOT_ALLOWED = " is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function."
_NOT_CONVERTED = {
    Status.ENABLED: " is not allowed: AutoGraph did not convert this function. Try decorating it directly with @tf.function.",
    Status.DISABLED: " is not allowed: AutoGraph is disabled in this function. Try decorating it directly with @tf.function.",
}

# The operators that modules of ops install in Tensor, Variable and similar classes.
OVERLOADABLE_OPERATORS = frozenset(
    f"__{name}__"
    for name in (
        "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod lt le gt ge "
        "and rand or ror xor rxor getitem pow rpow invert neg abs matmul rmatmul"
    ).split()
)


@tf_export("Tensor")
class Tensor(TensorFields, BaseTensor, _Operators):
    """A dense tensor: an output of an operation in a graph, or a value of eager execution.

    A graph tensor has a value only while a session runs it. Tensors are compared and hashed by identity. Arithmetic,
    comparison (except `==`), indexing and slicing create operations, or execute them in eager mode. Eager tensors
    belong to the subclass `EagerTensor`.

    Args:
      op: Operation that produces the tensor.
      value_index: int, index among the outputs of `op`.
      dtype: element type.
    """

    __slots__ = ()
    _COPIED_AS = "Tensor"
    __array_priority__ = 100  # makes NumPy defer `array + tensor` to Tensor
    OVERLOADABLE_OPERATORS = OVERLOADABLE_OPERATORS | {"__eq__", "__ne__"}  # copied by tensor-like classes

    if TYPE_CHECKING:
        assign: Any  # exists for slices of variables

        # Methods of eager tensors, which have no type of their own for type checkers.
        def numpy(self) -> Any: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...

    # `EagerTensor` overrides all graph-related members below.

    def __init__(self, op: Operation, value_index: int, dtype: Any) -> None:
        self._op = op
        self._value_index = value_index
        self._dtype = dtype if type(dtype) is dtypes.DType else dtypes.as_dtype(dtype)
        self._key = op._id << 32 | value_index

    @property
    def op(self) -> Operation:
        """The Operation that produces this tensor."""
        return self._op

    @property
    def graph(self) -> Graph:
        """The Graph that contains the tensor."""
        return self._op._graph

    @property
    def name(self) -> str:
        """The name "op_name:output_index"."""
        return f"{self._op._name}:{self._value_index}"

    @property
    def device(self) -> str:
        """The requested device of `op`, or ""."""
        return self._op.device

    @property
    def dtype(self) -> dtypes.DType:
        """The element type, a DType; a reference type for an output of a reference variable."""
        return self._dtype

    @property
    def value_index(self) -> int:
        """The index of this tensor among the outputs of `op`."""
        return self._value_index

    def consumers(self) -> list[Operation]:
        """The list of operations that consume this tensor, in order of creation, once per input."""
        return self._op._graph._nodes.consumers(self._key)

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Evaluates the tensor.

        Args:
          feed_dict: dict of fed values, as for `Session.run`.
          session: Session; None means the default session.

        Returns:
          numpy array; a NumPy scalar for rank 0.

        Raises:
          ValueError: if there is no default session, or the session has another graph.
        """
        try:
            return eval_session(self._op._graph, session, "tensor").run(self, feed_dict)
        except error_traceback.REPORTED:
            error_traceback.leave_to_user()
            raise

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self._op._graph._core.shape(self._key)

    @property
    def shape(self) -> TensorShape:
        """The static TensorShape, which may be partly unknown in a graph; fully defined for eager tensors."""
        return TensorShape._from_tuple(self._shape_tuple())

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Refines the static shape of the tensor, which becomes the combination of the known shape and `shape`.

        Args:
          shape: TensorShape or a value that it accepts.

        Raises:
          ValueError: if the shapes are incompatible.
        """
        dims = as_shape(shape).dims
        known = None if dims is None else [d.value for d in dims]
        try:
            self._op._graph._core.set_shape(self._key, known)
        except errors_impl.InvalidArgumentError as e:
            with error_traceback.Leaving():
                raise ValueError(e.message) from None

    def _rely_on_shape(self) -> None:
        """Records that a constant was derived from the static shape: steps that run the node then check the claims of
        `set_shape` about this tensor and the tensors that it is computed from."""
        self._op._graph._core.rely_on_shapes_of(self._key)

    @property
    def _shape(self) -> TensorShape:
        return self.shape

    def _shape_as_list(self) -> list[int | None] | None:
        shape = self._shape_tuple()
        return None if shape is None else list(shape)

    def _rank(self) -> int | None:
        shape = self._shape_tuple()
        return None if shape is None else len(shape)

    __hash__ = object.__hash__  # by identity, and without a Python call, because feeds are looked up by tensor

    def __eq__(self, other: Any) -> bool:
        return self is other

    def __ne__(self, other: Any) -> bool:
        return self is not other

    def experimental_ref(self) -> Reference:
        """A hashable reference for dictionaries and sets; its method `deref()` returns the tensor."""
        return Reference(self)

    def __copy__(self) -> Tensor:
        return self

    def _as_node_def_input(self) -> str:
        return self._op._name if self._value_index == 0 else f"{self._op._name}:{self._value_index}"

    def __repr__(self) -> str:
        shape = self.shape
        return f"<tf.Tensor '{self.name}' shape={shape} dtype={self._dtype.name}>"

    def __str__(self) -> str:
        shape = self.shape
        known = f", shape={shape}" if shape.ndims is not None else ""
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{known}, dtype={self._dtype.name}{device})'

    @error_traceback.called_by_users
    def __bool__(self) -> bool:
        self._refuse("using a `tf.Tensor` as a Python `bool`")

    __nonzero__ = __bool__

    def __iter__(self) -> Iterator[Any]:
        """Raises at the first element, not in `iter(tensor)`, as in TensorFlow."""
        try:
            self._refuse("iterating over `tf.Tensor`")
        except TypeError:
            error_traceback.leave_to_user()
            raise
        yield

    def _refuse(self, what: str) -> NoReturn:
        raise errors_impl.OperatorNotAllowedInGraphError(what + _NOT_CONVERTED.get(status(), _NOT_ALLOWED))

    @error_traceback.called_by_users
    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` rather than `len(x)` "
            "for shape information."
        )

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array.")

    @staticmethod
    def _override_operator(operator: str, func: Any) -> None:
        """Installs a Python operator. Raises ValueError if it must not be overloaded."""
        if operator not in OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        setattr(Tensor, operator, func)


tensor_like.register_tensor_type(Tensor)
