"""The devices of a session, the placement of its operations, and log messages about both."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from tinytf._src.framework.logs.log import logger

FIRST_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_INFO = 20  # logging.INFO
_MEMORY_LIMIT = 256 << 20  # TensorFlow's figure for CPU devices; tinytf enforces no limit


class _DeviceAttributes:
    """A device of a session: name, type, memory limit in bytes, and a number that distinguishes devices of
    equal names."""

    __slots__ = ("_name", "_device_type", "_memory_limit_bytes", "_incarnation")

    def __init__(self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int) -> None:
        self._name = name
        self._device_type = device_type
        self._memory_limit_bytes = memory_limit_bytes
        self._incarnation = incarnation

    @property
    def name(self) -> str:
        """The full name, for example "/job:localhost/replica:0/task:0/device:CPU:0"."""
        return self._name

    @property
    def device_type(self) -> str:
        """The device type, "CPU"."""
        return self._device_type

    @property
    def memory_limit_bytes(self) -> int:
        """The memory limit in bytes that TensorFlow states for CPU devices; it is not enforced."""
        return self._memory_limit_bytes

    @property
    def incarnation(self) -> int:
        """A random nonzero number, different for each session."""
        return self._incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def device_attributes(core: Any) -> list[_DeviceAttributes]:
    """Returns the devices of a core session, with new incarnations."""
    return [
        _DeviceAttributes(name, "CPU", _MEMORY_LIMIT, int.from_bytes(os.urandom(8), "little") or 1)
        for name in core.devices()
    ]


def placements(core: Any) -> dict[str, str]:
    """Returns the device of each operation that a core session has placed, by operation name."""
    devices = core.devices()
    return {name: devices[index] for name, index in core.placements().items()}


class KnownPlacements:
    """A cached copy of a core session's placements, renewed on access after a change. Thread-safe."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._version: object = None
        self._copy: tuple[object, Mapping[str, str]] | None = None

    def changed(self) -> None:
        """Invalidates the copy; must be called after the core has placed operations."""
        self._version = object()

    def __call__(self) -> Mapping[str, str]:
        """Returns the device of each operation by its name."""
        version, copy = self._version, self._copy  # read first: the core may place more meanwhile
        if copy is None or copy[0] is not version:
            copy = self._copy = version, placements(self._core)
        return copy[1]


def log_device_mapping() -> None:
    """Prints and logs an empty device mapping, because there are only CPU devices."""
    _show("Device mapping: no known devices.\n")
    _log("Device mapping:\n")


def report_placement(core: Any) -> None:
    """Prints and logs the placements that a core session has made since the last report, and its notes and warnings.

    A core session collects them only if it was created with `log_device_placement`.
    """
    placed, notes, warnings = core.take_placement_news()
    for text in warnings:
        logger().warning("%s", text)
    for text in notes:
        logger().info("%s", text)
    if placed:
        devices = core.devices()
        lines = [f"{name}: ({op}): {devices[device]}" for name, op, device in placed]
        _show("\n".join(lines) + "\n")
        for line in lines:
            _log(line)


def _log(text: str) -> None:
    """Logs a line. If the logger suppresses info messages, which is the default, the line goes to standard error in the
    format of TensorFlow's engine, subject to TF_CPP_MIN_LOG_LEVEL."""
    if logger().isEnabledFor(_INFO):
        logger().info("%s", text)
    elif sys.stderr is not None and os.environ.get("TF_CPP_MIN_LOG_LEVEL", "0") in ("", "0"):
        import datetime

        now = datetime.datetime.now().isoformat(" ", "microseconds")
        sys.stderr.write(f"{now}: I tinytf/placement] {text}\n")
        sys.stderr.flush()


def _show(text: str) -> None:
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()
