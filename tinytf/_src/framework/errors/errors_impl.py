"""TensorFlow's exception classes, one per error code."""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Iterator
from typing import Any

from tinytf._src.exports import tf_export

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


@tf_export("errors.InaccessibleTensorError")
class InaccessibleTensorError(ValueError):
    """Raised when a tensor is used outside the function or control-flow context that it belongs to."""


class SessionClosedError(RuntimeError):
    """Raised when an eager session, or a value that it owned, is used after the session was closed."""


@tf_export("errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(TypeError):
    """Raised when a Python operator needs a tensor's value while a graph is being built."""


@tf_export("errors.OpError", "OpError")
class OpError(Exception):
    """Base class of all errors that the runtime reports.

    `args` is empty, as in TensorFlow. A pickled error keeps the NodeDef but not the operation, which belongs to a graph
    of this process.

    Args:
      node_def: `NodeDef` of the failed operation, or None.
      op: the Operation that failed; None if it is unknown or was created by the runtime.
      message: str, text of the error.
      error_code: int, one of the codes in `tf.errors`.
    """

    _origin: Any  # describes where an operation was created; set by `error_interpolation`

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    def __new__(cls, *args: Any, **kwargs: Any) -> OpError:
        return super().__new__(cls)  # BaseException.__new__ would store the arguments in `args`

    def __reduce__(self) -> tuple[Any, ...]:
        # A subclass is rebuilt from its own constructor's arguments; other attributes are lost.
        names = [name for name in inspect.signature(type(self).__init__).parameters if name != "self"]
        lost = {"op"} if hasattr(self._op, "graph") else set()
        return type(self), tuple([None if name in lost else getattr(self, name) for name in names])

    @property
    def message(self) -> str:
        """The text of the error."""
        return self._message

    @property
    def op(self) -> Any:
        """The Operation that failed, or None."""
        return self._op

    @property
    def error_code(self) -> int:
        """The error code as int, for example `tf.errors.NOT_FOUND`."""
        return self._error_code

    @property
    def node_def(self) -> Any:
        """The `NodeDef` of the operation that failed, or None."""
        if self._node_def is None and self._op is not None:
            self._node_def = getattr(self._op, "node_def", None)
        return self._node_def

    def __str__(self) -> str:
        if self._op is None:
            return self._message
        return self._message + OpError._origin(self._op)


def _numbered(code: int) -> Any:
    """The constructor `(node_def, op, message)` for an exception class with this code."""

    def __init__(self: Any, node_def: Any, op: Any, message: str) -> None:
        OpError.__init__(self, node_def, op, message, code)

    return __init__


@tf_export("errors.CancelledError")
class CancelledError(OpError):
    """The operation or step was cancelled, for example because its session or queue was closed."""

    __init__ = _numbered(CANCELLED)


@tf_export("errors.UnknownError")
class UnknownError(OpError):
    """An error without a more specific code."""

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = UNKNOWN) -> None:
        super().__init__(node_def, op, message, error_code)


@tf_export("errors.InvalidArgumentError")
class InvalidArgumentError(OpError, ValueError):
    """An operation received an argument that is invalid regardless of the state of the system."""

    __init__ = _numbered(INVALID_ARGUMENT)


class EagerTensorInGraphError(InvalidArgumentError, RuntimeError):
    """An eager tensor is used as an input of a graph operation. Also a RuntimeError, which TensorFlow raises."""

    def __init__(self) -> None:
        super().__init__(
            None,
            None,
            "Attempting to capture an EagerTensor without building a function. A graph cannot contain eager tensors: feed "
            "the value, or make it a constant with tf.constant(tensor.numpy()).",
        )

    def __reduce__(self) -> Any:
        return EagerTensorInGraphError, ()


@tf_export("errors.DeadlineExceededError")
class DeadlineExceededError(OpError, TimeoutError):
    """The step or operation did not finish within its timeout."""

    __init__ = _numbered(DEADLINE_EXCEEDED)


@tf_export("errors.NotFoundError")
class NotFoundError(OpError, LookupError):
    """A file, resource, key or kernel does not exist."""

    __init__ = _numbered(NOT_FOUND)


@tf_export("errors.AlreadyExistsError")
class AlreadyExistsError(OpError):
    """The object to be created exists already."""

    __init__ = _numbered(ALREADY_EXISTS)


@tf_export("errors.PermissionDeniedError")
class PermissionDeniedError(OpError, PermissionError):
    """The caller lacks the permission, for example to read a file."""

    __init__ = _numbered(PERMISSION_DENIED)


@tf_export("errors.ResourceExhaustedError")
class ResourceExhaustedError(OpError):
    """Memory or another limited resource is exhausted."""

    __init__ = _numbered(RESOURCE_EXHAUSTED)


@tf_export("errors.FailedPreconditionError")
class FailedPreconditionError(OpError):
    """The system is not in the state that the operation requires, for example because a variable is not initialized."""

    __init__ = _numbered(FAILED_PRECONDITION)


@tf_export("errors.AbortedError")
class AbortedError(OpError):
    """The operation was aborted, typically because of a conflict with a concurrent one; a retry may succeed."""

    __init__ = _numbered(ABORTED)


@tf_export("errors.OutOfRangeError")
class OutOfRangeError(OpError, IndexError):
    """The operation went past the end of its input, such as a file, queue or dataset."""

    __init__ = _numbered(OUT_OF_RANGE)


@tf_export("errors.UnimplementedError")
class UnimplementedError(OpError, NotImplementedError):
    """The operation is not implemented, or not for these types or devices."""

    __init__ = _numbered(UNIMPLEMENTED)


@tf_export("errors.InternalError")
class InternalError(OpError):
    """An invariant of the system is violated."""

    __init__ = _numbered(INTERNAL)


@tf_export("errors.UnavailableError")
class UnavailableError(OpError):
    """The service cannot be reached at the moment; a retry may succeed."""

    __init__ = _numbered(UNAVAILABLE)


@tf_export("errors.DataLossError")
class DataLossError(OpError):
    """Data was lost or corrupted, for example because a file was truncated."""

    __init__ = _numbered(DATA_LOSS)


@tf_export("errors.UnauthenticatedError")
class UnauthenticatedError(OpError):
    """The request carries no valid credentials."""

    __init__ = _numbered(UNAUTHENTICATED)


_CLASS_OF_CODE: dict[int, type[OpError]] = {
    CANCELLED: CancelledError,
    UNKNOWN: UnknownError,
    INVALID_ARGUMENT: InvalidArgumentError,
    DEADLINE_EXCEEDED: DeadlineExceededError,
    NOT_FOUND: NotFoundError,
    ALREADY_EXISTS: AlreadyExistsError,
    PERMISSION_DENIED: PermissionDeniedError,
    RESOURCE_EXHAUSTED: ResourceExhaustedError,
    FAILED_PRECONDITION: FailedPreconditionError,
    ABORTED: AbortedError,
    OUT_OF_RANGE: OutOfRangeError,
    UNIMPLEMENTED: UnimplementedError,
    INTERNAL: InternalError,
    UNAVAILABLE: UnavailableError,
    DATA_LOSS: DataLossError,
    UNAUTHENTICATED: UnauthenticatedError,
}
for _cls in (OpError, *_CLASS_OF_CODE.values(), InaccessibleTensorError, OperatorNotAllowedInGraphError):
    _cls.__module__ = "tinytf.errors"  # which tracebacks show, and where pickles find the classes
SessionClosedError.__module__ = "tinytf.eager"
_CODE_OF_CLASS: dict[type[BaseException], int] = {cls: code for code, cls in _CLASS_OF_CODE.items()}


@tf_export("errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The exception class of an error code. Raises KeyError for unknown codes."""
    return _CLASS_OF_CODE[error_code]


@tf_export("errors.error_code_from_exception_type")
def error_code_from_exception_type(cls: type[BaseException]) -> Any:
    """The error code of an exception class; for other classes, an `UnknownError` object after a warning, as in
    TensorFlow."""
    code = _CODE_OF_CLASS.get(cls)
    if code is None:
        warnings.warn("Unknown class exception", stacklevel=2)
        return UnknownError(None, None, "Unknown class exception", None)  # type: ignore[arg-type]  # as in TensorFlow
    return code


def make_specific_exception(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """The exception of the class for `error_code`; an UnknownError, after a warning, for unknown codes."""
    cls: Any = _CLASS_OF_CODE.get(error_code)
    if cls is None:
        warnings.warn(f"Unknown error code: {error_code}", stacklevel=2)
        return UnknownError(node_def, op, message, error_code)
    return cls(node_def, op, message)


_make_specific_exception = make_specific_exception


class _Status:
    """The status that `raise_exception_on_not_ok_status` yields."""

    __slots__ = ("code", "message")

    def __init__(self) -> None:
        self.code, self.message = OK, ""

    def set(self, code: int, message: str) -> None:
        self.code, self.message = code, message


@tf_export("errors.raise_exception_on_not_ok_status")
@contextlib.contextmanager
def raise_exception_on_not_ok_status() -> Iterator[_Status]:
    """Context manager that yields a status; if the body sets an error code in it, the OpError of that code is raised at
    the end."""
    status = _Status()
    yield status
    if status.code != OK:
        raise make_specific_exception(None, None, status.message, status.code)


tf_export("errors.*").constants(
    __name__,
    "ABORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "OK",
    "OUT_OF_RANGE",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
)
