"""Names that are loaded when a program first asks for them: they cost nothing at import."""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable, Mapping
from typing import Any

from tinytf.api.building import namespace, pick
from tinytf.api.missing import no_such_name


def load_when_used(module: types.ModuleType, loaders: Mapping[str, Callable[[], Any]]) -> None:
    """Gives a namespace more names: what the loader of each returns, which is called when the name is first used."""

    def load(name: str) -> Any:
        if name not in loaders:
            raise no_such_name(module.__name__, name)
        return vars(module).setdefault(name, loaders[name]())

    vars(module)["__getattr__"] = load
    vars(module)["__dir__"] = lambda: sorted({*vars(module), *loaders} - {"__dir__", "__getattr__"})


def test() -> types.ModuleType:
    """`tf.test`."""
    from unittest import mock

    from tinytf import testing

    return namespace("test", testing.__doc__, {"mock": mock, **pick(testing, testing.__all__)})


def logging() -> types.ModuleType:
    """`tf.logging`."""
    from tinytf.framework import tf_logging

    return namespace("logging", tf_logging.__doc__, pick(tf_logging, tf_logging.__all__))


@functools.cache
def flags() -> types.ModuleType:
    """`tf.flags`."""
    from tinytf.platform import flags

    return namespace("flags", flags.__doc__, pick(flags, flags.__all__))


def app() -> types.ModuleType:
    """`tf.app`."""
    from tinytf.platform import app

    return namespace("app", app.__doc__, {"flags": flags(), "run": app.run})


def gfile() -> types.ModuleType:
    """`tf.gfile`."""
    from tinytf.platform import gfile

    return namespace("gfile", gfile.__doc__, pick(gfile, gfile.__all__))


def io_gfile() -> types.ModuleType:
    """`tf.io.gfile`."""
    from tinytf.platform import gfile_v2

    return namespace("io.gfile", gfile_v2.__doc__, pick(gfile_v2, gfile_v2.__all__))


def python_io() -> types.ModuleType:
    """`tf.python_io`."""
    from tinytf.platform import tf_record

    return namespace("python_io", tf_record.__doc__, pick(tf_record, tf_record.__all__))


def nest() -> types.ModuleType:
    """`tf.nest`."""
    from tinytf.framework import nest_util as nest

    names = ("assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as")
    return namespace("nest", nest.__doc__, pick(nest, names))


def estimator() -> types.ModuleType:
    """`tf.estimator`, of which only the modes are there."""
    from tinytf.platform.estimator_mode import ModeKeys

    return namespace("estimator", "Modes of models.", {"ModeKeys": ModeKeys})


def graph_util() -> types.ModuleType:
    """`tf.graph_util`."""
    from tinytf.framework import graph_util

    return namespace("graph_util", graph_util.__doc__, pick(graph_util, graph_util.__all__))


def resource_loader() -> types.ModuleType:
    """`tf.resource_loader`."""
    from tinytf.platform import resource_loader

    return namespace("resource_loader", resource_loader.__doc__, pick(resource_loader, resource_loader.__all__))


def sysconfig() -> types.ModuleType:
    """`tf.sysconfig`."""
    from tinytf.platform import sysconfig

    return namespace("sysconfig", sysconfig.__doc__, pick(sysconfig, sysconfig.__all__))


def get_logger() -> Any:
    """`tf.get_logger`."""
    from tinytf.framework.log import logger

    return logger


_LOADERS = (
    *(app, estimator, flags, get_logger, gfile, graph_util, logging, nest, python_io, resource_loader, sysconfig),
    test,
)

_TRAIN_MESSAGES = (
    "BytesList ClusterDef Example Feature FeatureList FeatureLists Features FloatList Int64List JobDef SaverDef "
    "SequenceExample ServerDef"
).split()
_CHECKPOINT_NAMES = (
    "checkpoint_exists generate_checkpoint_state_proto get_checkpoint_mtimes get_checkpoint_state latest_checkpoint "
    "remove_checkpoint update_checkpoint_state"
).split()
_HOOK_NAMES = ("SessionRunArgs", "SessionRunContext", "SessionRunHook", "SessionRunValues")
_BUILD_NAMES = ("CXX11_ABI_FLAG", "MONOLITHIC_BUILD")
_RECORD_NAMES = ("TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator")


def _from(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(importlib.import_module(f"tinytf.{module}"), name)


ROOT: dict[str, Callable[[], Any]] = {
    **{loader.__name__: loader for loader in _LOADERS},
    **{name: _from("platform.sysconfig", name) for name in _BUILD_NAMES},
}

# Names of other namespaces.
INNER: dict[str, dict[str, Callable[[], Any]]] = {
    "io": {
        "gfile": io_gfile,
        "write_graph": _from("training.graph_files", "write_graph"),
        **{name: _from("platform.tf_record", name) for name in _RECORD_NAMES},
    },
    "train": {
        "ClusterSpec": _from("training.cluster_spec", "ClusterSpec"),
        "Coordinator": _from("training.coordinator", "Coordinator"),
        "LooperThread": _from("training.looper_thread", "LooperThread"),
        "SecondOrStepTimer": _from("training.second_or_step_timer", "SecondOrStepTimer"),
        "summary_iterator": _from("training.graph_files", "summary_iterator"),
        "write_graph": _from("training.graph_files", "write_graph"),
        **{name: _from("training.checkpoint_state", name) for name in _CHECKPOINT_NAMES},
        **{name: _from("training.session_run_hook", name) for name in _HOOK_NAMES},
        **{name: _from("protos", name) for name in _TRAIN_MESSAGES},
    },
}
