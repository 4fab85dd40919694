"""`custom_gradient`, which gives functions their own gradient, and two decorators based on it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.recorded_function import accepts_variables, call_recorded, recomputed_gradients
from tinytf._src.gradients.registry import register_for_graph
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.scope_defaults import get_variable_scope

_numbers = itertools.count()
_READS = frozenset(("ReadVariableOp", "ResourceGather"))


@tf_export("custom_gradient")
def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a function that defines its own gradient.

    Args:
      f: callable `f(*x)` with Tensors `x` that returns `(y, grad_fn)`, where `y` is a Tensor or nested structure of
        Tensors. `grad_fn(*grad_ys)` gets one gradient per Tensor in `y` and returns one per `x`, each possibly None. If
        `f` uses trainable variables, `grad_fn` must accept `variables=`, a list of them (in graph mode sorted by name),
        and return a pair `(grad_xs, grad_variables)`.

    Returns:
      Function `h(*x)` that converts its arguments to Tensors and returns `y`. In eager mode it also takes keyword
      arguments, which get no gradients. `h` raises ValueError for keyword arguments in graph mode, and TypeError if `f`
      creates variables other than resource variables, or uses variables that `grad_fn` does not accept. A wrong number
      of gradients is a ValueError of `tf.gradients`.

    Example:
      @tf.custom_gradient
      def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return call_recorded(f, args, kwargs)
        if kwargs:
            raise ValueError(
                "The custom_gradient decorator currently supports keywords arguments only when eager execution is enabled."
            )
        return _call(f, [convert_to_tensor(x) for x in args])

    return decorated


def _call(f: Callable[..., Any], args: list[Tensor]) -> Any:
    graph = get_default_graph()
    before, made_before = graph.version, {id(v) for v in _variables_of_scope()}
    result, grad_fn = f(*args)
    for v in _variables_of_scope():
        if id(v) not in made_before and not isinstance(v, ResourceVariable):
            raise TypeError(
                "All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure that no "
                "`variable_scope` is created with `use_resource=False`."
            )
    made = graph._nodes.ops[before:]
    outputs = nest.flatten(result)
    variables = _variables_used(graph, made, [gen_ops.identity(y).op for y in outputs], args)
    if variables and not accepts_variables(grad_fn):
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a 'variables' keyword "
            "argument."
        )

    def gradient(op: Operation, *grads: Any) -> list[Any]:
        grads = grads[: len(outputs)]
        of_variables: Iterable[Any] = ()
        if variables:
            of_inputs, of_variables = grad_fn(*grads, variables=variables)
            if len(list(of_variables)) != len(variables):
                raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        else:
            of_inputs = grad_fn(*grads)
        # The other inputs of the IdentityN only connect `y` to `x` in the graph; the outputs themselves get no
        # gradient.
        return [None] * len(outputs) + nest.flatten(of_inputs) + list(of_variables)

    name = f"CustomGradient-{next(_numbers)}"
    register_for_graph(graph, name, gradient)
    with graph.gradient_override_map({"IdentityN": name}):
        tied = gen_ops.identity_n([*outputs, *args, *variables])
    for v in variables:  # TensorFlow reads them again, too, and default seeds depend on the number of nodes
        convert_to_tensor(v)
    return nest.pack_sequence_as(result, list(tied[: len(outputs)]))


def _variables_of_scope() -> list[Any]:
    scope = get_variable_scope()
    return scope.global_variables() + scope.local_variables()


def _variables_used(graph: Graph, made: list[Operation], outputs: list[Operation], args: list[Tensor]) -> list[Any]:
    """The trainable variables, sorted by name, that the new operations read, or that the outputs depend on other than
    through the arguments."""
    declared = {v.op: v for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES) if hasattr(v, "op") and v.trainable}
    given = {tensor._key for tensor in args}
    own_reads = {v._snapshot_tensor().op for v in declared.values()}
    found = {t.op for op in made if op.type in _READS and op not in own_reads for t in op.inputs}
    pending, seen = list(outputs), set(outputs)
    while pending:
        op = pending.pop()
        if op._spec.is_variable:
            found.add(op)
        for tensor in op.inputs:
            if tensor._key not in given and tensor.op not in seen and is_trainable(tensor):
                seen.add(tensor.op)
                pending.append(tensor.op)
    skipped = {tensor.op for tensor in args}
    return sorted((declared[op] for op in found if op in declared and op not in skipped), key=lambda v: v.name)


@tf_export("grad_pass_through")
def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function so that its gradient is that of the identity.

    Gradients of its outputs become gradients of its inputs unchanged; variables that it uses get none. The restrictions
    of `tf.custom_gradient` apply.

    Args:
      f: callable that takes Tensors and returns as many Tensors.

    Returns:
      The wrapped function.
    """

    @custom_gradient
    @functools.wraps(f)
    def passing(*args: Any) -> Any:
        def grad(*grads: Any, variables: Any = None) -> Any:
            return grads if variables is None else (grads, [None] * len(variables))

        return f(*args), grad

    return passing


@tf_export("recompute_grad")
def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function so that its gradient runs it again instead of keeping intermediate results.

    The restrictions of `tf.custom_gradient` apply.

    Args:
      f: callable that takes Tensors and returns one Tensor. When it is called again, it must reuse its variables (for
        example with `reuse=tf.AUTO_REUSE`).

    Returns:
      The wrapped function.
    """

    @custom_gradient
    @functools.wraps(f)
    def inner(*args: Any) -> Any:
        def grad(dresult: Any, variables: Any = None) -> Any:
            copies = [gen_ops.identity(x) for x in args]
            if executing_eagerly():
                grads = recomputed_gradients(f, copies, variables or [], dresult)
                return (grads[: len(args)], grads[len(args) :]) if variables else grads
            with control_dependencies([dresult]):
                result = f(*copies)
            grads = gradients(result, [*copies, *(variables or ())], grad_ys=dresult)
            return (grads[: len(args)], grads[len(args) :]) if variables else grads

        return f(*args), grad

    return inner
