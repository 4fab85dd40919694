"""What AutoGraph says of its work."""

from __future__ import annotations

import os
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import log

_level: int | None = None
_to_stdout = False


@tf_export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much is told of rewrites, by the logger `tinytf` and, with `alsologtostdout`, on the standard output: at 0 what
    goes wrong, at 1 which functions are rewritten, at 10 their new source. Until it is called the environment variable
    AUTOGRAPH_VERBOSITY has the level."""
    global _level, _to_stdout
    _level, _to_stdout = level, alsologtostdout


@tf_export("autograph.trace")
def trace(*args: Any) -> None:
    """Prints the arguments while the graph is built."""
    print(*args)


def tell(level: int, text: str, *values: Any) -> None:
    """Tells something from that level on."""
    asked = int(os.environ.get("AUTOGRAPH_VERBOSITY", "0")) if _level is None else _level
    if asked >= level:
        log.logger().info(text, *values)
        _echo(text, *values)


def warn(text: str, *values: Any) -> None:
    """Tells something at every level."""
    log.logger().warning(text, *values)
    _echo("WARNING: " + text, *values)


def _echo(text: str, *values: Any) -> None:
    if _to_stdout:
        print(text % values)
