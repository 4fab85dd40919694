"""`SavedModelBuilder`: writes several graphs with one set of variables to a directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.durable_files import durable_writes, make_folder_durable
from tinytf._src.checkpoint.message_files import write_message
from tinytf._src.checkpoint.saved_names import all_saveable_objects
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.assets import add_assets
from tinytf._src.saved_model.folders import folder_name, model_files, variables_path


@tf_export("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder:
    """Writes a SavedModel: call `add_meta_graph_and_variables`, then `add_meta_graph` for further graphs, then `save`.

    `save` writes the file that makes the directory a model only after all else is synced to disk. An interrupted
    export, also by a power loss, leaves a directory that cannot be loaded; after `save` has returned, the model
    survives a power loss.

    Args:
      export_dir: the directory; created if missing.

    Raises:
      AssertionError: if the directory is not empty.

    Example:
      builder = tf.saved_model.Builder("/tmp/model")
      builder.add_meta_graph_and_variables(sess, [tf.saved_model.SERVING])
      builder.save()
    """

    @called_by_users
    def __init__(self, export_dir: Any) -> None:
        self._saved_model = protos.SavedModel(saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION)
        self._export_dir = folder_name(export_dir)
        self._has_saved_variables = False
        if not file_io.file_exists(self._export_dir):
            file_io.recursive_create_dir(self._export_dir)
        elif file_io.list_directory(self._export_dir):
            raise AssertionError(
                "Export directory already exists, and isn't empty. Please choose a different export directory, or delete "
                f"all the contents of the specified directory: {export_dir}"
            )

    @called_by_users
    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Any] | None = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, with the variables that were written before.

        Args:
          tags: strings that identify the graph when loading.
          signature_def_map: dict of `SignatureDef`s by name, or None.
          assets_collection: string constants with paths of files to copy into the model, or None.
          legacy_init_op: old name of `main_op`.
          clear_devices: bool, whether nodes lack their devices.
          main_op: an operation to run after loading, or None.
          strip_default_attrs: bool, whether nodes lack attrs with default values.
          saver: a `Saver` of the variables; None: a new one for all variables.

        Raises:
          AssertionError: before `add_meta_graph_and_variables`, and for incomplete `TensorInfo`s in signatures.
          KeyError: for reserved names of signatures.
          TypeError, ValueError: for an invalid main operation or asset.
        """
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        self._check_signatures(signature_def_map or {})
        self._prepare_graph(assets_collection, main_op or legacy_init_op)
        self._add(saver or _saver(), tags, signature_def_map, clear_devices, strip_default_attrs)

    @called_by_users
    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Any] | None = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph and writes the variables' values.

        Args:
          sess: the session that has the values.
          tags, signature_def_map, assets_collection, legacy_init_op, clear_devices, main_op, strip_default_attrs,
            saver: as of `add_meta_graph`.

        Raises:
          AssertionError: if variables were written already, and for incomplete `TensorInfo`s in signatures.
          KeyError, TypeError, ValueError: as of `add_meta_graph`.
        """
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` "
                "instead."
            )
        self._check_signatures(signature_def_map or {})
        self._prepare_graph(assets_collection, main_op or legacy_init_op)
        path = variables_path(self._export_dir)
        file_io.recursive_create_dir(path.removesuffix(f"/{constants.VARIABLES_FILENAME}"))
        saver = saver or _saver()
        saver.save(sess, path, write_meta_graph=False, write_state=False)
        if getattr(saver, "saves_later", False):  # savers of other classes may lack it
            saver.wait()
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def _add_train_op(self, train_op: Any) -> None:
        """Adds the training operation to a collection of the default graph. TypeError for other types than Operation
        and Tensor."""
        if train_op is None:
            return
        if not isinstance(train_op, (Operation, Tensor)):
            raise TypeError(f"train_op needs to be a Tensor or Op: {train_op!r}")
        get_default_graph().add_to_collection(constants.TRAIN_OP_KEY, train_op)

    def _check_signatures(self, signatures: Mapping[str, Any]) -> None:
        for signature in signatures.values():
            for info in [*signature.inputs.values(), *signature.outputs.values()]:
                _check_info(info)
        for key, what in (
            (constants.INIT_OP_SIGNATURE_KEY, "initialization"),
            (constants.TRAIN_OP_SIGNATURE_KEY, "the train op"),
        ):
            if key in signatures:
                raise KeyError(f'SignatureDef map key "{key}" is reserved for {what}. Please use a different key.')

    def _prepare_graph(self, assets: Iterable[Any] | None, main_op: Any) -> None:
        """Adds assets and the main operation to collections of the default graph."""
        add_assets(assets, self._export_dir)
        if main_op is None:
            return
        if not isinstance(main_op, Operation):
            raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
        graph = get_default_graph()
        for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
            if graph.get_collection(key):
                raise ValueError(f"Graph already contains one or more main ops under the collection {key}.")
        graph.add_to_collection(constants.MAIN_OP_KEY, main_op)

    def _add(
        self,
        saver: Saver,
        tags: Iterable[str],
        signatures: Mapping[str, Any] | None,
        clear_devices: bool,
        strip_default_attrs: bool,
    ) -> None:
        graph = self._saved_model.meta_graphs.add()
        graph.CopyFrom(saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs))
        graph.meta_info_def.tags.extend(tags)
        for key, signature in (signatures or {}).items():
            graph.signature_def[key].CopyFrom(protos.adopt(signature))

    @called_by_users
    def save(self, as_text: bool = False) -> bytes:
        """Writes the file that makes the directory a model, after syncing everything else to disk.

        Args:
          as_text: bool, whether to write text instead of binary form.

        Returns:
          The path of the file, bytes.
        """
        file_io.recursive_create_dir(self._export_dir)
        path = model_files(self._export_dir)[1 if as_text else 0]
        make_folder_durable(self._export_dir)
        with durable_writes():
            write_message(path, self._saved_model, as_text)
        tf_logging.info("SavedModel written to: %s", path)
        return path.encode()


def _saver() -> Saver:
    return Saver(all_saveable_objects(), sharded=True, allow_empty=True)


def _check_info(info: Any) -> None:
    if info is None:
        raise AssertionError("All TensorInfo protos used in the SignatureDefs must have the name and dtype fields set.")
    encoding = info.WhichOneof("encoding")
    if encoding is None:
        raise AssertionError(
            "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields (e.g., name or "
            f"coo_sparse) set: {info}"
        )
    if encoding == "composite_tensor":
        for component in info.composite_tensor.components:
            _check_info(component)
    elif not info.dtype:
        raise AssertionError(f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}")
