"""Checks for NaN and infinity."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.control_flow.dependencies import group, with_dependencies


@tf_export("debugging.assert_all_finite", "verify_tensor_all_finite")
@called_by_users
def verify_tensor_all_finite(
    t: Any = None, msg: str | None = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Tensor:
    """Returns a tensor after checking at run time that it contains neither NaN nor infinity.

    Args:
      t: floating-point tensor.
      msg: str, text of the InvalidArgumentError that is raised at run time.
      name: optional name of the name scope.
      x: another name of `t`.
      message: another name of `msg`.

    Returns:
      A tensor with the value of `t`.

    Raises:
      ValueError: if an argument is given under both names.
    """
    x = renamed("x", x, "t", t)
    message = renamed("message", message, "msg", msg)
    with name_scope(name, "VerifyFinite", [x]):
        x = convert_to_tensor(x, name="x")
        with colocate_with(x):
            return with_dependencies([gen_ops.check_numerics(x, message=message)], x)


@tf_export("add_check_numerics_ops")
@called_by_users
def add_check_numerics_ops() -> Operation:
    """Adds checks for NaN and infinity to all float16, float32 and float64 tensors of the default graph.

    The checks run one after the other, in the order in which the tensors were created, so the error names the first bad
    tensor. Tensors created later are not checked.

    Returns:
      An operation that groups the checks.

    Raises:
      ValueError: if such a tensor is inside a `tf.cond`, `tf.case`, `tf.while_loop` or another control flow construct.
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager "
            "execution call tfe.seterr(inf_or_nan='raise') once before executing the checked operations."
        )
    checks: list[Any] = []
    for op in get_default_graph().get_operations():
        for output in op.outputs:
            if output.dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
                if op._get_control_flow_context() is not None:
                    raise ValueError(
                        "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as "
                        "`tf.cond()` or `tf.while_loop()`."
                    )
                with control_dependencies(checks):
                    checks = [gen_ops.check_numerics(output, message=f"{op.name}:{output.value_index}")]
    return group(*checks)
