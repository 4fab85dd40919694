"""Checks and completes the constructor arguments of estimators."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import fn_args
from tinytf._src.estimator.run_config import RunConfig, default_session_config
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform.compat import path_to_str
from tinytf._src.training.device_setter import STANDARD_PS_OPS, replica_device_setter

# Members of TensorFlow's Estimator that subclasses cannot override, though some of them do not exist here.
_PRIVATE_MEMBERS = """
    _actual_eval _actual_train_model_distributed _add_meta_graph_for_mode _assert_members_are_not_overridden _call_input_fn
    _call_model_fn _call_model_fn_eval _call_model_fn_eval_distributed _convert_eval_steps_to_hooks
    _convert_train_steps_to_hooks _create_global_step _evaluate_build_graph _evaluate_run _extract_batch_length _extract_keys
    _get_features_and_labels_from_input_fn _get_features_from_input_fn _get_iterator_from_input_fn _maybe_warm_start
    _train_model _train_model_default _train_model_distributed _train_with_estimator_spec
    _train_with_estimator_spec_distributed _validate_features_in_predict_input
""".split()
_MAY_BE_OVERRIDDEN = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models"}
_MODEL_FN_ARGS = {"features", "labels", "mode", "params", "self", "config"}


def check_overrides(kind: type, base: type) -> None:
    """Raises ValueError if a subclass overrides members of the class `base`."""
    members = {name for name in dir(base) if not name.startswith("__")} | set(_PRIVATE_MEMBERS)
    overridden = [
        name
        for name in vars(kind)
        if name in members - _MAY_BE_OVERRIDDEN and getattr(base, name, None) != getattr(kind, name)
    ]
    if overridden:
        raise ValueError(
            f"Subclasses of Estimator cannot override members of Estimator. {kind} does override {overridden}"
        )


def check_model_fn(model_fn: Callable[..., Any], params: Any) -> None:
    """Raises ValueError if a model function has no `features` parameter, lacks `params` though they are given, or has
    unknown ones."""
    names = set(fn_args(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to Estimator."
        )
    if params is None and "params" in names:
        tf_logging.warning(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.", model_fn
        )
    if not names <= _MODEL_FN_ARGS:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {sorted(names - _MODEL_FN_ARGS)}")


def complete_config(config: Any, model_dir: Any) -> RunConfig:
    """Returns the config with `model_dir` and `session_config` filled in. ValueError for conflicting directories, and
    if it is not a `RunConfig`."""
    if config is None:
        config = RunConfig()
        tf_logging.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = RunConfig.replace(config, session_config=default_session_config())
    model_dir = path_to_str(model_dir)
    if model_dir is not None and config.model_dir is not None and config.model_dir != model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: "
            f"'{model_dir}', in `RunConfig`: '{config.model_dir}' "
        )
    if model_dir:
        return RunConfig.replace(config, model_dir=model_dir)
    if config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        tf_logging.warning("Using temporary folder as model directory: %s", model_dir)
        return RunConfig.replace(config, model_dir=model_dir)
    return config


def device_setter(config: RunConfig) -> Any:
    """Returns the device function for clusters with parameter servers, else None."""
    if config.num_ps_replicas <= 0:
        return None
    return replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=f"/job:{config.task_type}/task:{config.task_id}",
        merge_devices=True,
        ps_ops=list(STANDARD_PS_OPS),
        cluster=config.cluster_spec,
    )
