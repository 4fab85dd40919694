"""`tf.estimator.RunConfig`: settings of an estimator's runs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tinytf._src import protos
from tinytf._src.estimator.arguments import fn_args
from tinytf._src.estimator.task_types import TaskType
from tinytf._src.estimator.tf_config import model_dir_of, place_of, read_tf_config
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform.compat import path_to_str

_USE_DEFAULT: Any = object()  # marks omitted arguments
_REPLACEABLE = [
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "device_fn",
    "protocol",
    "eval_distribute",
    "experimental_distribute",
    "experimental_max_worker_delay_secs",
    "session_creation_timeout_secs",
]
_OF_TINYTF = ["save_input_state"]
_BOTH = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."

# Conditions for values that are not None, and the error texts.
_CONDITIONS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "model_dir": (bool, "model_dir should be non-empty"),
    "save_summary_steps": (lambda n: n >= 0, "save_summary_steps should be >= 0"),
    "save_checkpoints_steps": (lambda n: n >= 0, "save_checkpoints_steps should be >= 0"),
    "save_checkpoints_secs": (lambda n: n >= 0, "save_checkpoints_secs should be >= 0"),
    "session_config": (
        lambda config: protos.is_message(config, "ConfigProto"),
        "session_config must be instance of ConfigProto",
    ),
    "keep_checkpoint_max": (lambda n: n >= 0, "keep_checkpoint_max should be >= 0"),
    "keep_checkpoint_every_n_hours": (lambda n: n > 0, "keep_checkpoint_every_n_hours should be > 0"),
    "log_step_count_steps": (lambda n: n > 0, "log_step_count_steps should be > 0"),
    "tf_random_seed": (lambda seed: isinstance(seed, int), "tf_random_seed must be integer."),
    "experimental_max_worker_delay_secs": (
        lambda n: isinstance(n, int),
        "experimental_max_worker_delay_secs must be an integer if set.",
    ),
    "session_creation_timeout_secs": (lambda n: n > 0, "session_creation_timeout_secs should be > 0"),
    "device_fn": (
        lambda function: callable(function) and set(fn_args(function)) == {"op"},
        'device_fn must be callable with exactly one argument "op".',
    ),
    "protocol": (lambda name: name in ("grpc", "grpc+verbs"), "protocol should be grpc or grpc+verbs"),
}


def default_session_config(device_filters: Any = None) -> Any:
    """Returns the `ConfigProto` of sessions for which none is given."""
    config = protos.ConfigProto(allow_soft_placement=True, device_filters=device_filters)
    config.graph_options.rewrite_options.meta_optimizer_iterations = protos.RewriterConfig.ONE
    return config


def _field(name: str, doc: str) -> Any:
    return property(lambda config: getattr(config, f"_{name}"), doc=doc)


@tf_export("estimator.RunConfig")
class RunConfig:
    """Settings of an estimator's runs. Cluster settings come from the environment variable TF_CONFIG.

    Args:
      model_dir: directory of checkpoints, graphs and summaries.
      tf_random_seed: int, random seed of graphs.
      save_summary_steps: int, steps between summaries; 0 or None: none.
      save_checkpoints_steps, save_checkpoints_secs: interval between checkpoints; at most one of both may be set.
        Neither given: 600 seconds; None or 0: no checkpoints.
      session_config: the `ConfigProto` of sessions.
      keep_checkpoint_max: int, number of checkpoints to keep; 0 or None: all.
      keep_checkpoint_every_n_hours: float, additionally keep one checkpoint for each period of that length.
      log_step_count_steps: int, steps between log lines with speed and loss; None: none.
      train_distribute, eval_distribute, experimental_distribute: must be None, as there are no distribution strategies.
      device_fn: a function of an operation, `op`, that returns its device.
      protocol: protocol of servers: None, "grpc" or "grpc+verbs".
      experimental_max_worker_delay_secs: int, maximal delay before workers start, in seconds.
      session_creation_timeout_secs: float, how long workers wait for the chief, in seconds.
      save_input_state: bool, whether the checkpoints of trainings have the positions of `tf.data` iterators; see
        `tf.train.MonitoredTrainingSession`.

    Raises:
      ValueError: for invalid values, and for an invalid TF_CONFIG.
      NotImplementedError: for distribution strategies.
    """

    @called_by_users
    def __init__(
        self,
        model_dir: Any = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_steps: Any = _USE_DEFAULT,
        save_checkpoints_secs: Any = _USE_DEFAULT,
        session_config: Any = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float | None = 10000,
        log_step_count_steps: int | None = 100,
        train_distribute: Any = None,
        device_fn: Any = None,
        protocol: str | None = None,
        eval_distribute: Any = None,
        experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: float | None = 7200,
        *,
        save_input_state: bool = False,
    ) -> None:
        if save_checkpoints_steps is _USE_DEFAULT and save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _USE_DEFAULT:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_BOTH)
        tf_config = read_tf_config()
        _set(
            self,
            model_dir=model_dir_of(tf_config, path_to_str(model_dir)),
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            train_distribute=train_distribute,
            device_fn=device_fn,
            protocol=protocol,
            eval_distribute=eval_distribute,
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        if save_input_state:  # `str` and logs show the settings of TensorFlow's class otherwise
            self._save_input_state = True
        for name, value in place_of(tf_config)._asdict().items():
            setattr(self, f"_{name}", value)
        if not session_config and self.cluster_spec:
            self._session_config = _cluster_session_config(self.task_type, self.task_id)

    model_dir = _field("model_dir", "Directory for checkpoints, graphs and summaries, or None.")
    tf_random_seed = _field("tf_random_seed", "Graph-level random seed.")
    save_summary_steps = _field("save_summary_steps", "Number of steps between summaries.")
    save_checkpoints_steps = _field("save_checkpoints_steps", "Number of steps between checkpoints, or None.")
    save_checkpoints_secs = _field("save_checkpoints_secs", "Number of seconds between checkpoints, or None.")
    session_config = _field("session_config", "`ConfigProto` for sessions, or None.")
    keep_checkpoint_max = _field("keep_checkpoint_max", "Maximum number of recent checkpoints to keep.")
    keep_checkpoint_every_n_hours = _field(
        "keep_checkpoint_every_n_hours", "Interval, in hours, for which one checkpoint is kept permanently."
    )
    log_step_count_steps = _field("log_step_count_steps", "Number of steps between log lines.")
    train_distribute = _field("train_distribute", "Always None.")
    eval_distribute = _field("eval_distribute", "Always None.")
    device_fn = _field("device_fn", "Function that maps an operation to a device, or None.")
    protocol = _field("protocol", "Protocol of servers, or None.")
    experimental_max_worker_delay_secs = _field(
        "experimental_max_worker_delay_secs", "Maximum number of seconds that workers wait before they start, or None."
    )
    session_creation_timeout_secs = _field(
        "session_creation_timeout_secs", "Number of seconds that workers wait for the chief."
    )
    _save_input_state = False
    save_input_state = _field("save_input_state", "Whether checkpoints have the positions of iterators.")
    service = _field("service", "Dict with the service entry of TF_CONFIG, or None.")
    cluster_spec = _field("cluster_spec", "`ClusterSpec` from TF_CONFIG; it has no jobs without a cluster.")
    task_type = _field("task_type", 'Job of this process in the cluster; "worker" without a cluster.')
    task_id = _field("task_id", "Index of this process in its job.")
    global_id_in_cluster = _field(
        "global_id_in_cluster", "Index of this process in the cluster; None for an evaluator."
    )
    master = _field("master", "Target of training sessions.")
    evaluation_master = _field("evaluation_master", "Target of evaluation sessions.")
    is_chief = _field("is_chief", "Whether this process initializes the model.")
    num_ps_replicas = _field("num_ps_replicas", "Number of parameter servers.")
    num_worker_replicas = _field("num_worker_replicas", "Number of workers, including the chief.")

    @called_by_users
    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with some settings replaced.

        Args:
          **kwargs: arguments of the constructor.

        Raises:
          ValueError: for other names, and for invalid values.
        """
        return _set(copy.deepcopy(self), **kwargs)


def _set(config: RunConfig, **values: Any) -> RunConfig:
    for key, value in values.items():
        if key not in _REPLACEABLE + _OF_TINYTF:
            raise ValueError(f"Replacing {key} is not supported. Allowed properties are {_REPLACEABLE}.")
        setattr(config, f"_{key}", value)
    steps, secs = values.get("save_checkpoints_steps"), values.get("save_checkpoints_secs")
    if steps is not None and secs is not None:
        raise ValueError(_BOTH)
    if steps is not None:
        config._save_checkpoints_secs = None  # type: ignore[attr-defined]
    if secs is not None:
        config._save_checkpoints_steps = None  # type: ignore[attr-defined]
    for key, (holds, text) in _CONDITIONS.items():
        value = getattr(config, f"_{key}")
        if value is not None and not holds(value):
            raise ValueError(text)
    for key in ("train_distribute", "eval_distribute", "experimental_distribute"):
        if getattr(config, f"_{key}"):
            raise NotImplementedError(f"{key}: tinytf has no distribution strategies; estimators work in one process.")
    return config


def _cluster_session_config(task_type: str, task_id: int) -> Any:
    """Returns a session config whose device filters admit parameter servers and the process itself only."""
    seen = {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{task_id}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }
    return default_session_config(seen[task_type]) if task_type in seen else None
