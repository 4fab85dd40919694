"""`apply_op`, which all generated op functions call: converts inputs, checks attrs, adds the node and returns its
outputs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tinytf import _core
from tinytf._src.framework.composites.sparse_dispatch import over_values
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.attr_values import func_form, plain_attr, shape_tuple, type_number
from tinytf._src.framework.declarations.op_spec import ArgSpec, AttrSpec, OpSpec
from tinytf._src.framework.declarations.snake_case import snake_case
from tinytf._src.framework.errors import error_traceback, errors_impl
from tinytf._src.framework.errors.errors_impl import EagerTensorInGraphError
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.eager_library import enter_function, enter_named
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import graph_of_inputs, name_scope
from tinytf._src.framework.tensors.conversion import internal_convert_n_to_tensor, internal_convert_to_tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_conversion import has_larger_int
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.framework.values.tensor_like import is_graph_tensor

_DTYPE = {t.as_datatype_enum: t for t in dtypes._INTERNED.values()}
_INT32 = dtypes.int32
_INT32_NUMBER = _INT32.as_datatype_enum


def apply_op(spec: OpSpec, name: str | None, inputs: tuple[Any, ...], attrs: dict[str, Any] | None) -> Any:
    """Adds an op to the graph of its inputs, or executes it in eager mode.

    Args:
      spec: declaration of the op.
      name: name of the node; None means the op's name.
      inputs: tuple with one value per declared input; a sequence for a list input.
      attrs: attr values by name; None values are inferred or defaulted.

    Returns:
      A Tensor, a list of Tensors, a namedtuple of outputs, or the Operation (None in eager mode) if there are no
      outputs.

    Raises:
      TypeError, ValueError: for inputs or attrs that do not fit, with TensorFlow's messages.
      NotImplementedError: for an op that was removed from graphs.
    """
    try:
        if executing_eagerly():
            return execute_op(spec, name, inputs, attrs)
        op = add_op(spec, name, inputs, attrs)
    except error_traceback.REPORTED as e:
        sparse = over_values(spec, inputs) if isinstance(e, (TypeError, ValueError)) else None
        if sparse is not None:
            return SparseTensor(sparse.indices, apply_op(spec, name, (sparse.values,), attrs), sparse.dense_shape)
        error_traceback.leave_building(e, _call_text(spec, inputs))
        raise
    return op._outputs[0] if spec.single_output else _results(spec, op)


_SHOWN = 60


def _call_text(spec: OpSpec, inputs: tuple[Any, ...]) -> str:
    """Describes a call of an op for an error note: argument names with their shapes and types."""
    arguments = [f"{arg.name} = {_argument_text(value)}" for arg, value in zip(spec.inputs, inputs)]
    return f"The call was of op {spec.name} with " + ", ".join(arguments or ["no arguments"])


def _argument_text(value: Any) -> str:
    if is_graph_tensor(value):
        return f"{value.name} ({value.dtype.name}, shape {value.shape})"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(_argument_text(item) for item in value[:3])
        return f"[{inside}{', ...' if len(value) > 3 else ''}]"
    text = type(value).__name__
    if isinstance(value, EagerTensor):
        return f"{text} ({value.dtype.name}{_shape_text(value)})"
    if isinstance(value, (bool, int, float, str, bytes)):
        text = repr(value)
    elif hasattr(value, "shape") and hasattr(value, "dtype"):
        text += f" ({getattr(value.dtype, 'name', value.dtype)}, shape {value.shape})"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _shape_text(value: EagerTensor) -> str:
    """The shape as text; empty if the value is pending or was freed."""
    if value._state() != "live" or not value._ready():
        return ""
    try:
        return f", shape {value.shape}"
    except errors_impl.OpError:  # closed by another thread in the meantime
        return ""


def add_op(spec: OpSpec, name: str | None, inputs: tuple[Any, ...], attrs: dict[str, Any] | None) -> Operation:
    """Like `apply_op` in graph mode, but returns the Operation."""
    graph = get_default_graph()
    try:
        plain = _attrs(spec, attrs) if attrs else {}
    # As in TensorFlow 1.15, a removed op is reported after a TypeError of an attr, but before an attr out of range.
    except ValueError:
        if spec.is_removed:
            _check_not_removed(spec, graph_of_inputs(_flat(spec, inputs)))
        # Nor does it come before a TypeError of another attr, or an error of an input.
        unchecked = _attrs(spec, attrs or {}, leaves_range=True)
        with _entered(graph_of_inputs(_flat(spec, inputs))), name_scope(spec.name if name is None else name):
            _converted(spec, inputs, unchecked)
        raise
    if spec.is_removed:
        _check_not_removed(spec, graph_of_inputs(_flat(spec, inputs)))
    if name is None:
        name = spec.name
    # Conversions may add more nodes, named after the op.
    if not name or type(name) is bytes or spec.has_list_input or graph._scopes.control_flow_context is not None:
        return _add_converted(spec, name, inputs, plain)
    for value in inputs:
        if type(value) is not Tensor or value._op._graph is not graph:
            return _add_converted(spec, name, inputs, plain)
    _check_tensors(spec, inputs, plain)
    name = name[:-1] if name[-1] == "/" else graph._names.unique_name(name)
    op = graph._create(spec, name, inputs, None, plain, not spec.is_beside_references)
    if spec.is_beside_references:
        _colocate_with_references(op, inputs)
    return op


def execute_op(spec: OpSpec, name: str | None, inputs: tuple[Any, ...], attrs: dict[str, Any] | None) -> Any:
    """Executes an op eagerly. Arguments, results and errors as for `apply_op`; returns None if there are no outputs."""
    result = spec.call_eagerly(inputs, attrs, name)
    if result is NotImplemented and any(getattr(value, "_in_graph_mode", True) is False for value in inputs):
        # Reads variables first: often nothing else needs conversion.
        inputs = tuple(value if getattr(value, "_in_graph_mode", True) else value.value() for value in inputs)
        result = spec.call_eagerly(inputs, attrs, name)
    if result is NotImplemented:
        plain = _attrs(spec, attrs, is_eager=True) if attrs else {}
        _take_types(spec, inputs, plain)
        tensors = tuple(
            _convert_list(spec, arg, value, plain) if arg.is_list else _convert(spec, arg, value, plain)
            for arg, value in zip(spec.inputs, inputs, strict=True)
        )
        check_eager(_flat(spec, tensors))
        result = spec.call_eagerly(tensors, attrs, name)
        if result is NotImplemented:
            result = spec.eager.call_new(tensors, plain, attrs, name)
    if spec.single_output or result is None:
        return result
    return result[0] if spec.result is None else spec.result(*result)


def _take_types(spec: OpSpec, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> None:
    """Sets type attrs from the eager tensors among the inputs, wherever they stand, so that other values are converted
    to them."""
    for arg, value in zip(spec.inputs, inputs, strict=True):
        if not arg.is_list and arg.type_attr and arg.type_attr not in attrs and isinstance(value, EagerTensor):
            number = value.dtype.as_datatype_enum
            allowed = spec.attr_by_name[arg.type_attr].allowed_types
            if not allowed or number in allowed:
                attrs[arg.type_attr] = number


_GRAPH_TENSOR = """An op outside of the function building code is being passed
a "Graph" tensor. It is possible to have Graph tensors
leak out of the function building context by including a
tf.init_scope in your function building code.
For example, the following function will fail:
  @tf.function
  def has_init_scope():
    my_constant = tf.constant(1.)
    with tf.init_scope():
      added = my_constant * 2
The graph tensor has name: """


def check_eager(tensors: Iterable[Any]) -> None:
    """Raises TypeError, with TensorFlow's text, for a tensor of a graph that is given to an eager operation or call."""
    for tensor in tensors:
        if not isinstance(tensor, EagerTensor):
            raise TypeError(_GRAPH_TENSOR + tensor.name)


def _add_converted(spec: OpSpec, name: str, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Operation:
    graph = graph_of_inputs(_flat(spec, inputs))
    with _entered(graph), graph._names.name_scope(name) as scope:
        tensors, groups = _converted(spec, inputs, attrs)
        if not scope:
            raise ValueError(f"'{graph._names.unique_name('')}' is not a valid node name")
        op = graph._create(spec, scope[:-1], tensors, groups, attrs, not spec.is_beside_references)
        if spec.is_beside_references:
            _colocate_with_references(op, tensors)
        return op


def _entered(graph: Any) -> AbstractContextManager[Any]:
    return nullcontext() if graph is get_default_graph() else graph.as_default()


def _converted(spec: OpSpec, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[list[Tensor], list[int]]:
    """The tensors of all inputs, and the number of each input's tensors. Fills in the attrs that inputs determine."""
    tensors: list[Tensor] = []
    groups: list[int] = []
    for arg, value in zip(spec.inputs, inputs, strict=True):
        converted = _convert_list(spec, arg, value, attrs) if arg.is_list else [_convert(spec, arg, value, attrs)]
        _check_ref(spec, arg, converted)
        groups.append(len(converted))
        tensors.extend(converted)
    return tensors, groups


def _flat(spec: OpSpec, inputs: tuple[Any, ...]) -> list[Any]:
    """All values, with list inputs expanded."""
    flat: list[Any] = []
    for arg, value in zip(spec.inputs, inputs, strict=True):
        if arg.is_list and isinstance(value, (list, tuple)):
            flat.extend(value)
        else:
            flat.append(value)
    return flat


def _check_not_removed(spec: OpSpec, graph: Any) -> None:
    try:
        _core.check_not_removed(spec.name, graph._graph_def_versions.producer)
    except errors_impl.UnimplementedError as e:
        raise NotImplementedError(e.message) from None


def _colocate_with_references(op: Operation, inputs: Any) -> None:
    """Places an op that modifies variables in place with its variables, as if it were created under `colocate_with`."""
    variables = [tensor._op for arg, tensor in zip(op._spec.inputs, inputs, strict=True) if arg.is_ref]
    devices = op._graph._devices
    devices.colocate(op, variables, devices.colocated_device(), keeps_groups=True)
    op._device_assignments = []


def _check_tensors(spec: OpSpec, tensors: tuple[Any, ...], attrs: dict[str, Any]) -> None:
    """Checks types if every input is a Tensor of the default graph already, and fills in type attrs."""
    for arg, tensor in zip(spec.inputs, tensors):
        _, type, type_attr, _, _, is_ref = arg
        number = tensor._dtype._base_enum
        if type_attr:
            known = attrs.get(type_attr)
            if known is None:
                allowed = spec.attr_by_name[type_attr].allowed_types
                if allowed and number not in allowed:
                    _raise_not_allowed(arg, number, allowed)
                attrs[type_attr] = number
            elif known != number:
                _raise_mismatch(spec, arg, tensor, known)
        elif number != type:
            _raise_mismatch(spec, arg, tensor, type)
        if is_ref and not tensor._dtype._is_ref_dtype:
            _check_ref(spec, arg, [tensor])


def _convert(spec: OpSpec, arg: ArgSpec, value: Any, attrs: dict[str, Any]) -> Tensor:
    number = arg.type or attrs.get(arg.type_attr)
    dtype = _DTYPE[number] if number else None
    default = None
    if dtype is None:
        attr = spec.attr_by_name[arg.type_attr]
        default = _DTYPE[attr.default] if attr.has_default and attr.default else None
        if default is _INT32 and has_larger_int(value):
            default = None
    elif number == _INT32_NUMBER and arg.type and has_larger_int(value):
        raise ValueError(
            f"Tried to convert '{arg.name}' to a tensor and failed. Error: {value!r} does not fit into int32"
        )
    try:
        tensor = internal_convert_to_tensor(value, dtype, arg.name, arg.is_ref, default)
    except EagerTensorInGraphError:
        raise
    except TypeError as e:
        if dtype is None:
            raise
        if number and arg.type_attr and executing_eagerly():
            if not _is_tensor(value):
                raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {dtype._core_name}") from None
            _raise_mismatch(spec, arg, internal_convert_to_tensor(value), number)
        raise TypeError(
            f"Expected {dtype.name} passed to parameter '{arg.name}' of op '{spec.name}', got {value!r} of type "
            f"'{type(value).__name__}' instead. Error: {e}"
        ) from None
    except ValueError as e:
        _raise_unconvertible(spec, arg, value, number, e)
    own = tensor._dtype._base_enum
    if number:
        if own != number:
            _raise_mismatch(spec, arg, tensor, number)
    else:
        allowed = spec.attr_by_name[arg.type_attr].allowed_types
        if allowed and own not in allowed:
            _raise_not_allowed(arg, own, allowed)
        attrs[arg.type_attr] = own
    return tensor


def _convert_list(spec: OpSpec, arg: ArgSpec, values: Any, attrs: dict[str, Any]) -> list[Tensor]:
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"Expected list for '{arg.name}' argument to '{spec.name}' Op, not {values}.")
    if arg.type_list_attr:
        types = attrs.get(arg.type_list_attr)
        if types is None:
            tensors = internal_convert_n_to_tensor(values, None, arg.name, arg.is_ref)
            attrs[arg.type_list_attr] = types = [t._dtype._base_enum for t in tensors]
            allowed = spec.attr_by_name[arg.type_list_attr].allowed_types
            if allowed and not set(types).issubset(allowed):
                _raise_not_allowed(arg, next(number for number in types if number not in allowed), allowed)
        else:
            if len(types) != len(values):
                raise ValueError(
                    f"List argument '{arg.name}' to '{spec.name}' Op with length {len(values)} must match length of attr "
                    f"'{arg.type_list_attr}' ({len(types)})."
                )
            tensors = [
                internal_convert_to_tensor(v, _DTYPE[t], f"{arg.name}_{i}", arg.is_ref)
                for i, (v, t) in enumerate(zip(values, types, strict=True))
            ]
        _check_minimum(spec, arg, spec.attr_by_name[arg.type_list_attr], len(tensors))
        return tensors
    number = arg.type or attrs.get(arg.type_attr)
    if not number:
        # The first tensor determines the type, so that Python numbers beside it are converted to it.
        number = next(
            (v.dtype.base_dtype.as_datatype_enum for v in values if hasattr(v, "dtype") and _is_tensor(v)), None
        )
    attr = spec.attr_by_name.get(arg.type_attr)
    default = _DTYPE[attr.default] if attr is not None and attr.has_default and attr.default else None
    try:
        tensors = internal_convert_n_to_tensor(
            values, _DTYPE[number] if number else None, arg.name, arg.is_ref, default
        )
    except EagerTensorInGraphError:
        raise
    except (TypeError, ValueError):
        _raise_list_types(spec, arg, values)
    found = {t._dtype._base_enum for t in tensors}
    if len(found) > 1 or (found and arg.type and found != {arg.type}):
        _raise_list_types(spec, arg, values)
    if arg.type_attr and found:
        own = found.pop()
        allowed = spec.attr_by_name[arg.type_attr].allowed_types
        if allowed and own not in allowed:
            _raise_not_allowed(arg, own, allowed)
        known = attrs.setdefault(arg.type_attr, own)
        if known != own:
            _raise_mismatch(spec, arg, tensors[0], known)
    count = attrs.setdefault(arg.number_attr, len(tensors))
    if count != len(tensors):
        raise ValueError(
            f"List argument '{arg.name}' to '{spec.name}' Op with length {len(tensors)} must match length {count} of "
            "argument of the same number attr."
        )
    _check_minimum(spec, arg, spec.attr_by_name[arg.number_attr], len(tensors))
    return tensors


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or getattr(value, "_is_dense_tensor_like", False)


def _check_minimum(spec: OpSpec, arg: ArgSpec, attr: AttrSpec, length: int) -> None:
    if attr.minimum is not None and length < attr.minimum:
        raise ValueError(
            f"List argument '{arg.name}' to '{spec.name}' Op with length {length} shorter than minimum length {attr.minimum}."
        )


def _check_ref(spec: OpSpec, arg: ArgSpec, tensors: list[Tensor]) -> None:
    if arg.is_ref and not all(t._dtype._is_ref_dtype for t in tensors):
        raise TypeError(f"'{spec.name}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)")


def _raise_not_allowed(arg: ArgSpec | AttrSpec, number: int, allowed: list[int]) -> None:
    names = ", ".join(_DTYPE[t].name for t in allowed)
    raise TypeError(
        f"Value passed to parameter '{arg.name}' has DataType {_DTYPE[number].name} not in list of allowed values: {names}"
    )


def _raise_mismatch(spec: OpSpec, arg: ArgSpec, tensor: Tensor, expected: int) -> None:
    if executing_eagerly():
        raise errors_impl.InvalidArgumentError(
            None,
            None,
            f"cannot compute {spec.name} as input #{spec.inputs.index(arg)}(zero-based) was expected to be a "
            f"{_DTYPE[expected]._core_name} tensor but is a {tensor._dtype._core_name} tensor [Op:{spec.name}]",
        )
    prefix = f"Input '{arg.name}' of '{spec.name}' Op has type {tensor._dtype.name} that does not match"
    if not arg.type_attr:
        raise TypeError(f"{prefix} expected type of {_DTYPE[expected].name}.")
    other = next((a.name for a in spec.inputs if a.type_attr == arg.type_attr and a.name != arg.name), None)
    source = (
        f"type {_DTYPE[expected].name} of argument '{other}'" if other else f"expected type of {_DTYPE[expected].name}"
    )
    raise TypeError(f"{prefix} {source}.")


def _raise_unconvertible(spec: OpSpec, arg: ArgSpec, value: Any, number: int | None, error: ValueError) -> None:
    try:
        tensor = internal_convert_to_tensor(value, as_ref=arg.is_ref)
    except ValueError as e:
        raise ValueError(f"Tried to convert '{arg.name}' to a tensor and failed. Error: {e}") from None
    prefix = f"Input '{arg.name}' of '{spec.name}' Op has type {tensor._dtype.name} that does not match"
    if not number:
        raise error
    if executing_eagerly():
        _raise_mismatch(spec, arg, tensor, number)
    if not arg.type_attr:
        raise TypeError(f"{prefix} expected type of {_DTYPE[number].name}.") from None
    other = next((a.name for a in spec.inputs if a.type_attr == arg.type_attr and a.name != arg.name), arg.name)
    raise TypeError(f"{prefix} type {_DTYPE[number].name} of argument '{other}'.") from None


def _raise_list_types(spec: OpSpec, arg: ArgSpec, values: Any) -> None:
    names = []
    for value in values:
        try:
            names.append(internal_convert_to_tensor(value, as_ref=arg.is_ref)._dtype.base_dtype.name)
        except (TypeError, ValueError):
            names.append("<NOT CONVERTIBLE TO TENSOR>")
    prefix = f"Tensors in list passed to '{arg.name}' of '{spec.name}' Op have types [{', '.join(names)}]"
    if arg.type:
        raise TypeError(f"{prefix} that do not match expected type {_DTYPE[arg.type].name}.") from None
    raise TypeError(f"{prefix} that don't all match.") from None


def _attrs(spec: OpSpec, given: dict[str, Any], is_eager: bool = False, leaves_range: bool = False) -> dict[str, Any]:
    """The given attrs in the core's form, without None values of attrs that have a default or are inferred. Undeclared
    attrs, whose names begin with "_", are in that form. See `checked_attr` for `leaves_range`, which eager mode implies.
    """
    plain: dict[str, Any] = {}
    for name, value in given.items():
        if name.startswith("_") and name not in spec.attr_by_name:
            plain[name] = value
            continue
        attr = spec.attr_by_name[name]
        if value is not None:
            plain[name] = checked_attr(spec, attr, value, is_eager or leaves_range)
        elif not attr.has_default and name not in spec.inferred:
            plain[name] = _checked_none(spec, attr, is_eager)
    return plain


def _checked_none(spec: OpSpec, attr: AttrSpec, is_eager: bool) -> Any:
    """The core's form of None for a required attr. Raises TypeError unless the attr is a shape, or a list in eager
    mode."""
    if attr.kind == "shape":
        return None
    if attr.kind.startswith("list("):
        return checked_attr(spec, attr, [] if is_eager else None, leaves_range=is_eager)
    if attr.kind == "func":
        raise TypeError(f"Don't know how to convert None to a func for argument {attr.name}")
    if attr.kind == "tensor":
        raise TypeError(f"Don't know how to convert None to a TensorProto for argument '{attr.name}'.")
    kind = "DataType" if attr.kind == "type" else attr.kind
    raise TypeError(f"Expected {kind} for argument '{attr.name}' not None.")


def _whole(attr: AttrSpec, value: Any) -> int:
    """An integer attr's value as int. Raises TypeError for other values, including text."""
    if not isinstance(value, (str, bytes)):
        try:
            return int(only_element(value))
        except (TypeError, ValueError):
            pass
    raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.")


def checked_attr(spec: OpSpec, attr: AttrSpec, value: Any, leaves_range: bool = False) -> Any:
    """One attr in the core's form. Raises TypeError or ValueError with TensorFlow's messages for invalid values.

    `leaves_range`: leaves disallowed strings, too small numbers and too short lists to the engine, which rejects them
    with InvalidArgumentError, as TensorFlow does in eager mode.
    """
    kind = attr.kind
    if kind == "type":
        return _type_number(attr, value)
    if kind == "shape":
        return _shape_tuple(attr, value)
    if kind == "bool":
        if type(value) is not bool:
            raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
        return value
    if kind == "int":
        number = _whole(attr, value)
        if attr.minimum is not None and number < attr.minimum and not leaves_range:
            raise ValueError(
                f"Attr '{attr.name}' of '{spec.name}' Op passed {number} less than minimum {attr.minimum}."
            )
        return number
    if kind == "float":
        try:
            return float(value)
        except (TypeError, ValueError):
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.") from None
    if kind == "string":
        if not isinstance(value, (str, bytes)):
            raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
        text = value.decode() if isinstance(value, bytes) else value
        if attr.allowed_strings and text not in attr.allowed_strings and not leaves_range:
            names = '", "'.join(attr.allowed_strings)
            raise ValueError(f"Attr '{attr.name}' of '{spec.name}' Op passed string '{text}' not in: \"{names}\".")
        return value
    if kind == "func":
        return _function(attr, value)
    if kind.startswith("list("):
        if not isinstance(value, (list, tuple)):
            name = snake_case(spec.name)
            raise TypeError(f"Expected list for '{attr.name}' argument to '{name}' Op, not {value!r}.")
        if attr.minimum is not None and len(value) < attr.minimum and not leaves_range:
            raise ValueError(
                f"Attr '{attr.name}' of '{spec.name}' Op passed list of length {len(value)} less than minimum {attr.minimum}."
            )
        if kind == "list(int)":
            return [_whole(attr, v) for v in value]
        if kind == "list(type)":
            return [_type_number(attr, v, leaves_range) for v in value]
        if kind == "list(shape)":
            return [_shape_tuple(attr, v) for v in value]
        if kind == "list(func)":
            return [_function(attr, v) for v in value]
    return plain_attr(attr, value)


def _type_number(attr: AttrSpec, value: Any, leaves_range: bool = False) -> int:
    try:
        number = type_number(value)
    except TypeError:
        raise TypeError(f"Expected DataType for argument '{attr.name}' not {value!r}.") from None
    if attr.allowed_types and number not in attr.allowed_types and not leaves_range:
        _raise_not_allowed(attr, number, attr.allowed_types)
    return number


def _shape_tuple(attr: AttrSpec, value: Any) -> tuple[int, ...] | None:
    try:
        return shape_tuple(value)
    except (TypeError, ValueError) as e:
        kind = TypeError if isinstance(e, TypeError) else ValueError
        raise kind(f"Error converting {attr.name} to a TensorShape: {e}.") from None


def _function(attr: AttrSpec, value: Any) -> Any:
    """The core's form of a function attr: a name, possibly with attrs. A function with `add_to_graph` is first added to
    the default graph, or to the eager library."""
    if not isinstance(value, (str, bytes)) and not hasattr(value, "WhichOneof"):
        if not hasattr(value, "add_to_graph"):
            raise TypeError(f"Don't know how to convert {value} to a func for argument {attr.name}")
        form = func_form(value.name)
        if executing_eagerly():
            enter_function(value, form)
        else:
            value.add_to_graph(get_default_graph())
        return form
    form = func_form(value)
    if executing_eagerly():
        enter_named(form if isinstance(form, str) else form[0])
    return form


def _results(spec: OpSpec, op: Operation) -> Any:
    outputs = op._outputs
    if spec.single_output:
        return outputs[0]
    if not spec.outputs:
        return op
    grouped: list[Any] = []
    position = 0
    for arg in spec.outputs:
        if not arg.is_list:
            grouped.append(outputs[position])
            position += 1
            continue
        count = op._raw_attr(arg.number_attr) if arg.number_attr else len(op._raw_attr(arg.type_list_attr))
        grouped.append(list(outputs[position : position + count]))
        position += count
    return grouped[0] if spec.result is None else spec.result(*grouped)
