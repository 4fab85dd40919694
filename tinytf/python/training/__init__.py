"""TensorFlow's path to savers, checkpoints, monitored sessions, hooks and coordinators."""

import typing as _typing

_LATER = (  # modules of this package, loaded at first use
    "basic_loops",
    "basic_session_run_hooks",
    "checkpoint_management",
    "checkpoint_utils",
    "coordinator",
    "device_setter",
    "input",
    "monitored_session",
    "moving_averages",
    "queue_runner",
    "queue_runner_impl",
    "saver",
    "saving",
    "session_manager",
    "session_run_hook",
    "slot_creator",
    "supervisor",
    "tracking",
    "training_util",
)


def __getattr__(name: str) -> _typing.Any:
    if name in _LATER:
        from importlib import import_module

        return import_module(f"tinytf.python.training.{name}")
    raise AttributeError(f"module 'tinytf.python.training' has no attribute {name!r}")
