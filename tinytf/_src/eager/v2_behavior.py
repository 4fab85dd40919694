"""`tf.enable_v2_behavior`: switches on parts of TensorFlow 2's behavior."""

from __future__ import annotations

from tinytf._src.autograph.equality import compare_by_value
from tinytf._src.eager.mode import disable_eager_execution, enable_eager_execution
from tinytf._src.exports import tf_export
from tinytf._src.framework.context import v2_behavior
from tinytf._src.framework.values.tensor_shape import disable_v2_tensorshape, enable_v2_tensorshape
from tinytf._src.variables.creation import disable_resource_variables, enable_resource_variables


@tf_export("enable_v2_behavior")
def enable_v2_behavior() -> None:
    """Enables eager execution, makes resource variables the default, and makes shapes yield ints instead of
    `Dimension`s.

    Call it when the program starts. `==` of tensors still compares identity, except in functions converted by
    AutoGraph, where it compares values.

    Raises:
      ValueError: if the default graph was used already.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_resource_variables()
    compare_by_value(True)
    v2_behavior.enable(True)


@tf_export("disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Restores TensorFlow 1's defaults: graph execution, reference variables, and `Dimension`s in shapes."""
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_resource_variables()
    compare_by_value(False)
    v2_behavior.enable(False)
