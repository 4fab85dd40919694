"""Main operations of SavedModels, and `simple_save`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.builder import SavedModelBuilder
from tinytf._src.saved_model.signatures import predict_signature_def
from tinytf._src.variables.collections import global_variables_initializer, local_variables_initializer


@tf_export("saved_model.main_op.main_op")
@called_by_users
def main_op() -> Any:
    """Returns an operation that initializes all variables and tables."""
    init, init_local = global_variables_initializer(), local_variables_initializer()
    tables = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(init, init_local, group(*tables, name="init_all_tables"))


@tf_export("saved_model.main_op_with_restore", "saved_model.main_op.main_op_with_restore")
@called_by_users
def main_op_with_restore(restore_op_name: Any) -> Any:
    """Returns an operation that does what `main_op` does, and then runs the operation `restore_op_name`."""
    with control_dependencies([main_op()]):
        return group(restore_op_name)


@tf_export("saved_model.simple_save")
@called_by_users
def simple_save(
    session: Any,
    export_dir: str,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    legacy_init_op: Any = None,
) -> None:
    """Writes a SavedModel of the default graph for prediction.

    Args:
      session: the session that has the variables' values.
      export_dir: the directory; created if missing.
      inputs, outputs: dicts of tensors by the names that servers use.
      legacy_init_op: an operation to run after loading, or None.

    Raises:
      AssertionError: if the directory is not empty.

    Example:
      tf.saved_model.simple_save(sess, "/tmp/model", inputs={"x": x}, outputs={"y": y})
    """
    signature = predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        [constants.SERVING],
        {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=get_default_graph().get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()
