"""TensorFlow's import paths of protocol messages: `from tinytf.core.framework import graph_pb2`.

`messages_by_path.txt` lists the messages, enums and enum values of each module. All of them come from `tinytf._src.protos`.
"""

from pathlib import Path as _Path
from typing import Any as _Any

from tinytf._src import protos as _protos
from tinytf._src.api.modules_by_path import ModulesByPath as _ModulesByPath


def _message(name: str) -> _Any:
    return getattr(_protos, name)


_BY_PATH = _ModulesByPath("tinytf.core", _Path(__file__).with_name("messages_by_path.txt"), _message)
_BY_PATH.install()
