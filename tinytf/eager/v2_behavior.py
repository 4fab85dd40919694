"""`tf.enable_v2_behavior`: what of TensorFlow 2 a program can switch on."""

from __future__ import annotations

from tinytf.auto_graph.equality import compare_by_value
from tinytf.eager.mode import disable_eager_execution, enable_eager_execution
from tinytf.exports import tf_export
from tinytf.framework.tensor_shape import disable_v2_tensorshape, enable_v2_tensorshape
from tinytf.variables.creation import disable_resource_variables, enable_resource_variables


@tf_export("enable_v2_behavior")
def enable_v2_behavior() -> None:
    """Executes operations as they are called, makes resource variables the default, and has shapes hand out ints.

    To be called when the program starts; ValueError if the default graph was used already. `==` of tensors goes on to
    mean that they are the same one, but in functions that AutoGraph rewrites, where it compares their values.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_resource_variables()
    compare_by_value(True)


@tf_export("disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Graphs, reference variables and `Dimension`s, as TensorFlow 1 has them by default."""
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_resource_variables()
    compare_by_value(False)
