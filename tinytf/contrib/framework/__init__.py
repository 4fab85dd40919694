"""`tf.contrib.framework`: argument scopes, variables by pattern, nested structures, deprecation decorators, and aliases
of public TensorFlow names."""

from __future__ import annotations

import sys

import tinytf as tf
from tinytf.contrib.framework.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from tinytf.contrib.framework.assignments import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    assign_from_values,
    assign_from_values_fn,
)
from tinytf.contrib.framework.checkpoints import (
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tinytf.contrib.framework.graphs import (
    get_graph_from_inputs,
    get_name_scope,
    get_placeholders,
)
from tinytf.contrib.framework.remapped_matrices import (
    load_and_remap_matrix_initializer,
    load_embedding_initializer,
    load_linear_multiclass_bias_initializer,
    load_variable_slot_initializer,
)
from tinytf.contrib.framework.script import py_func
from tinytf.contrib.framework.shapes import (
    assert_scalar_int,
    reduce_sum_n,
    remove_squeezable_dimensions,
    with_same_shape,
    with_shape,
)
from tinytf.contrib.framework.variable_device_chooser import VariableDeviceChooser
from tinytf.contrib.framework.variables import (
    add_model_variable,
    assert_or_get_global_step,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
    global_variable,
    local_variable,
    model_variable,
    variable,
    zero_initializer,
)
from tinytf.python.framework.ops import prepend_name_scope, strip_name_scope
from tinytf.python.framework.smart_cond import smart_case, smart_cond, smart_constant_value
from tinytf.python.framework.tensor_spec import BoundedTensorSpec
from tinytf.python.missing import no_other_names
from tinytf.python.ops.data_flow_ops import RecordInput
from tinytf.python.util import nest
from tinytf.python.util.deprecation import deprecated, deprecated_arg_values, deprecated_args

TensorSpec = tf.TensorSpec
argsort = tf.argsort
assert_global_step = tf.train.assert_global_step
assert_same_float_dtype = tf.debugging.assert_same_float_dtype
assert_scalar = tf.debugging.assert_scalar
convert_to_tensor_or_sparse_tensor = tf.convert_to_tensor_or_sparse_tensor
create_global_step = tf.train.create_global_step
get_global_step = tf.train.get_global_step
get_or_create_global_step = tf.train.get_or_create_global_step
is_tensor = tf.is_tensor
sort = tf.sort

sys.modules[f"{__name__}.nest"] = nest

__all__ = [
    "BoundedTensorSpec",
    "RecordInput",
    "TensorSpec",
    "VariableDeviceChooser",
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scoped_arguments",
    "argsort",
    "assert_global_step",
    "assert_or_get_global_step",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_scalar_int",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "convert_to_tensor_or_sparse_tensor",
    "create_global_step",
    "current_arg_scope",
    "deprecated",
    "deprecated_arg_values",
    "deprecated_args",
    "filter_variables",
    "get_global_step",
    "get_graph_from_inputs",
    "get_local_variables",
    "get_model_variables",
    "get_name_scope",
    "get_or_create_global_step",
    "get_placeholders",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "has_arg_scope",
    "init_from_checkpoint",
    "is_tensor",
    "list_variables",
    "load_and_remap_matrix_initializer",
    "load_checkpoint",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable",
    "load_variable_slot_initializer",
    "local_variable",
    "model_variable",
    "nest",
    "prepend_name_scope",
    "py_func",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
    "sort",
    "strip_name_scope",
    "variable",
    "with_same_shape",
    "with_shape",
    "zero_initializer",
]
__getattr__ = no_other_names(__name__)
