"""AutoGraph's log messages."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import log

_level: int | None = None
_to_stdout = False


@tf_export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Sets how much AutoGraph logs about conversions to the logger `tinytf`.

    Until the first call the environment variable AUTOGRAPH_VERBOSITY is the level.

    Args:
      level: int; at 0 only warnings are logged, from 1 on also the functions that are converted.
      alsologtostdout: bool, whether the messages are printed to standard output, too.
    """
    global _level, _to_stdout
    _level, _to_stdout = level, alsologtostdout


@tf_export("autograph.trace")
def trace(*args: Any) -> None:
    """Prints the arguments while the graph is built.

    Args:
      *args: any objects, passed to `print`.
    """
    print(*args)


def tell(level: int, text: str, *values: Any) -> None:
    """Logs a message if the verbosity is at least `level`."""
    asked = int(os.environ.get("AUTOGRAPH_VERBOSITY", "0")) if _level is None else _level
    if asked >= level:
        log.logger().info(text, *values)
        _echo(text, *values)


def warn(text: str, *values: Any) -> None:
    """Logs a warning, whatever the verbosity."""
    log.logger().warning(text, *values)
    _echo("WARNING: " + text, *values)


def _echo(text: str, *values: Any) -> None:
    if _to_stdout:
        print(text % values)
