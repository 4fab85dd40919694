"""Writes models as SavedModels: one graph for each mode, with the variables of one checkpoint."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.checkpoint.durable_files import make_folder_durable, make_way_durable
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.checkpoint.warm_starting import WarmStartSettings
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.export_outputs import EvalOutput, TrainOutput, checked_export_outputs
from tinytf._src.estimator.export_signatures import all_signatures
from tinytf._src.estimator.model_dir import ModelDir
from tinytf._src.estimator.model_graphs import ModelGraphs
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.platform import file_io
from tinytf._src.platform.compat import as_bytes, as_str_any
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.builder import SavedModelBuilder
from tinytf._src.session.session import Session

_ATTEMPTS = 10  # to find an unused directory name, one second apart

# Modes in the order of writing. Variables are saved with the first mode; training has all of them.
_TAGS = {ModeKeys.TRAIN: constants.TRAINING, ModeKeys.EVAL: constants.EVAL, ModeKeys.PREDICT: constants.SERVING}
# Mode names of Keras.
_SYNONYMS = {"test": ModeKeys.EVAL, "predict": ModeKeys.PREDICT}


class Model(NamedTuple):
    """The model to export."""

    graphs: ModelGraphs
    checkpoint_path: str
    session_config: Any
    strip_default_attrs: bool


def checkpoint_to_export(model_dir: ModelDir, warm_start: WarmStartSettings | None) -> Any:
    """Returns the latest checkpoint of the directory, or else the one that the settings name. ValueError if there is
    none."""
    found = model_dir.latest()
    if found:
        return found
    if not warm_start:
        raise ValueError(f"Couldn't find trained model at {model_dir.path}.")
    path = warm_start.ckpt_to_initialize_from
    return latest_checkpoint(path) if file_io.is_directory(path) else path


def export(
    model: Model,
    export_dir_base: Any,
    receiver_fns: Mapping[Any, Callable[[], Any]],
    assets_extra: Mapping[Any, Any] | None,
    as_text: bool,
) -> bytes:
    """Writes the model to a new directory, which gets its final name when its contents are durable on disk. Returns the
    path.

    ValueError without modes, and for variables that the checkpoint lacks.
    """
    export_dir = _new_folder(as_str_any(export_dir_base))
    folder, name = os.path.split(export_dir)
    temporary = os.path.join(folder, f"temp-{name}")
    builder = SavedModelBuilder(temporary)
    modes = [mode for mode in _TAGS if receiver_fns.get(mode)]
    for mode in modes:
        _add(builder, model, mode, receiver_fns[mode], with_variables=mode == modes[0])
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {receiver_fns.keys()}.")
    builder.save(as_text)
    for target, source in (assets_extra or {}).items():
        path = os.path.join(temporary, constants.EXTRA_ASSETS_DIRECTORY, as_str_any(target))
        file_io.recursive_create_dir(os.path.dirname(path))
        file_io.copy(source, path)
    make_folder_durable(temporary)
    file_io.rename(temporary, export_dir)
    make_way_durable(folder)
    return as_bytes(export_dir)


def _new_folder(base: str) -> str:
    for attempt in range(1, _ATTEMPTS + 1):
        path = os.path.join(base, str(int(time.time())))
        if not file_io.file_exists(path):
            return path
        time.sleep(1)
        tf_logging.warning("Directory %s already exists; retrying (attempt %d/%d)", as_bytes(path), attempt, _ATTEMPTS)
    raise RuntimeError(f"Failed to obtain a unique export directory name after {_ATTEMPTS} attempts.")


def _add(
    builder: SavedModelBuilder, model: Model, mode: Any, receiver_fn: Callable[[], Any], with_variables: bool
) -> None:
    """Adds the graph of one mode."""
    with Graph().as_default() as graph:
        receiver, spec = model.graphs.to_export(receiver_fn, mode)
        signatures = all_signatures(
            receiver.receiver_tensors,
            _outputs(spec),
            getattr(receiver, "receiver_tensors_alternatives", None),
            serving_only=mode == ModeKeys.PREDICT,
        )
        with Session(config=model.session_config) as session:
            main_op = spec.scaffold.local_init_op
            if main_op is None:
                main_op = Scaffold.default_local_init_op()
            saver = spec.scaffold.saver or Saver(sharded=True)
            _restore(saver, session, model.checkpoint_path, mode)
            builder._add_train_op(spec.train_op)
            settings = {
                "tags": [_TAGS[mode]],
                "signature_def_map": signatures,
                "assets_collection": graph.get_collection(GraphKeys.ASSET_FILEPATHS),
                "main_op": main_op,
                "saver": saver,
                "strip_default_attrs": model.strip_default_attrs,
            }
            if with_variables:
                builder.add_meta_graph_and_variables(session, **settings)
            else:
                builder.add_meta_graph(**settings)


def _outputs(spec: EstimatorSpec) -> dict[str, Any]:
    """Returns the model's outputs in its mode, by signature name. ValueError for an unknown mode."""
    mode = _SYNONYMS.get(spec.mode, spec.mode)
    if mode == ModeKeys.PREDICT:
        return checked_export_outputs(spec.export_outputs, spec.predictions)
    given = {"loss": spec.loss, "predictions": spec.predictions, "metrics": spec.eval_metric_ops}
    if mode == ModeKeys.TRAIN:
        return {constants.DEFAULT_TRAIN_SIGNATURE_DEF_KEY: TrainOutput(**given)}
    if mode == ModeKeys.EVAL:
        return {constants.DEFAULT_EVAL_SIGNATURE_DEF_KEY: EvalOutput(**given)}
    raise ValueError(f"Invalid mode key: {spec.mode}.")


def _restore(saver: Any, session: Session, path: str, mode: Any) -> None:
    try:
        saver.restore(session, path)
    except errors_impl.NotFoundError as error:
        raise ValueError(
            "Could not load all requested variables from checkpoint. Please make sure your model_fn does not expect variables "
            f"that were not saved in the checkpoint.\n\nEncountered error with mode `{mode}` while restoring checkpoint from: "
            f"`{path}`. Full Traceback:\n\n{error}"
        ) from error
