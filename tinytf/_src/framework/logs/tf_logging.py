"""`tf.logging`: functions that log to Python's logger `tinytf`, which the package itself uses, too.

Loaded at first use. Messages without a handler of the program are then printed to `sys.stderr` as
`WARNING:tinytf:text`; in an interactive shell to `sys.stdout`, from level INFO. If the program configures `logging`,
its handlers get each message once instead; if these only write files, messages are printed as well.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tinytf._src.exports import tf_export

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "TaskLevelStatusMessage",
    "WARN",
    "debug",
    "error",
    "fatal",
    "flush",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]

DEBUG = logging.DEBUG
INFO = logging.INFO
WARN = logging.WARNING
ERROR = logging.ERROR
FATAL = logging.FATAL

_lock = threading.Lock()
_counts: Counter[tuple[str, int]] = Counter()  # number of messages per line that calls log_first_n or log_every_n


class _LastHandler(logging.Handler):
    """Prints messages for which the program has no handler."""

    def __init__(self, to_stdout: bool) -> None:
        super().__init__()
        self._to_stdout = to_stdout
        self.setFormatter(logging.Formatter(logging.BASIC_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Writes to the current stream, because notebooks and tests replace it."""
        stream = sys.stdout if self._to_stdout else sys.stderr
        if stream is not None and not _has_handlers():
            stream.write(self.format(record) + "\n")
            stream.flush()


def _has_handlers() -> bool:
    """Whether the program handles the logger's messages, so that they need not be printed."""
    return any(not isinstance(handler, (_LastHandler, logging.FileHandler)) for handler in _handlers())


def _handlers() -> Iterator[logging.Handler]:
    """Yields all handlers that get the logger's messages."""
    logger: logging.Logger | None = _logger
    while logger is not None:
        yield from logger.handlers
        logger = logger.parent if logger.propagate else None


_logger = logging.getLogger("tinytf")
_interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
if _interactive and not _has_handlers() and _logger.level == logging.NOTSET:
    _logger.setLevel(INFO)
_logger.addHandler(_LastHandler(to_stdout=_interactive))


@tf_export("logging.log")
def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args`.

    The other functions of this module take `msg`, `*args` and `**kwargs` in the same way.

    Args:
      level: int, for example `tf.logging.INFO`.
      msg: str, format string.
      *args: values for the format string.
      **kwargs: keyword arguments of `logging.Logger.log`.
    """
    _logger.log(level, msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.debug")
def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level DEBUG."""
    _logger.debug(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.info")
def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level INFO."""
    _logger.info(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.warning")
def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _logger.warning(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.warn")
def warn(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _logger.warning(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.error")
def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level ERROR."""
    _logger.error(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.fatal")
def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level FATAL. The program continues."""
    # Its `fatal` would be taken for the caller in Python 3.10.
    _logger.critical(msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.vlog")
def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level; the same as `tf.logging.log`."""
    _logger.log(level, msg, *args, **{"stacklevel": 2, **kwargs})


@tf_export("logging.log_if")
def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs `msg % args` at a level if a condition is true.

    Args:
      level: int, for example `tf.logging.INFO`.
      msg: str, format string.
      condition: value that is tested for truth.
      *args: values for the format string.
    """
    if condition:
        _logger.log(level, msg, *args, stacklevel=2)


@tf_export("logging.log_first_n")
def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` at a level, the first `n` times that the calling line is executed.

    Args:
      level: int, for example `tf.logging.INFO`.
      msg: str, format string.
      n: int.
      *args: values for the format string.
    """
    if _earlier_calls() < n:
        _logger.log(level, msg, *args, stacklevel=2)


def warn_once_per_line(msg: str) -> None:
    """Logs a warning the first time that the line that called the caller is executed."""
    if not _earlier_calls(3):
        _logger.warning(msg, stacklevel=3)


@tf_export("logging.log_every_n")
def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs `msg % args` at a level, the first time that the calling line is executed, and then every `n`-th time.

    Args:
      level: int, for example `tf.logging.INFO`.
      msg: str, format string.
      n: int.
      *args: values for the format string.
    """
    if _earlier_calls() % n == 0:
        _logger.log(level, msg, *args, stacklevel=2)


def _earlier_calls(depth: int = 2) -> int:
    """The number of previous calls from the line that called this function's caller; a larger `depth` means a line
    further out."""
    frame = sys._getframe(depth)
    line = (frame.f_code.co_filename, frame.f_lineno)
    with _lock:
        _counts[line] += 1
        return _counts[line] - 1


@tf_export("logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs `msg` at level ERROR."""
    _logger.error(msg, stacklevel=2)


@tf_export("logging.flush")
def flush() -> None:
    """Flushes all handlers of the logger. (In TensorFlow 1.15, it raises NotImplementedError.)"""
    for handler in _handlers():
        handler.flush()


@tf_export("logging.get_verbosity")
def get_verbosity() -> int:
    """The lowest level that is logged, as int; WARN by default."""
    return _logger.getEffectiveLevel()


@tf_export("logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Sets the lowest level that is logged, for messages of the program and the package.

    Args:
      v: int or name of a level, for example `tf.logging.INFO` or "INFO".
    """
    _logger.setLevel(v)


tf_export("logging.*").constants(__name__, "DEBUG", "ERROR", "FATAL", "INFO", "WARN")

tf_export("logging").namespace(__doc__)
