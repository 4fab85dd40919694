"""The devices of a session, where it placed the operations, and what it tells about that."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from tinytf.framework.log import logger

FIRST_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_INFO = 20  # logging.INFO
_MEMORY_LIMIT = 256 << 20  # what TensorFlow says of every CPU device; nothing is limited


class _DeviceAttributes:
    """A device of a session: its full name, its type, the bytes of memory it may use, and a number that tells it from
    devices of the same name in other sessions."""

    __slots__ = ("_name", "_device_type", "_memory_limit_bytes", "_incarnation")

    def __init__(self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int) -> None:
        self._name = name
        self._device_type = device_type
        self._memory_limit_bytes = memory_limit_bytes
        self._incarnation = incarnation

    @property
    def name(self) -> str:
        """The full name, "/job:localhost/replica:0/task:0/device:CPU:0" for example."""
        return self._name

    @property
    def device_type(self) -> str:
        """The type: "CPU"."""
        return self._device_type

    @property
    def memory_limit_bytes(self) -> int:
        """The bytes of memory that the device may use, as TensorFlow states it for CPUs."""
        return self._memory_limit_bytes

    @property
    def incarnation(self) -> int:
        """A random number, other than 0."""
        return self._incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def device_attributes(core: Any) -> list[_DeviceAttributes]:
    """The devices of a core session, with new incarnations."""
    return [
        _DeviceAttributes(name, "CPU", _MEMORY_LIMIT, int.from_bytes(os.urandom(8), "little") or 1)
        for name in core.devices()
    ]


def placements(core: Any) -> dict[str, str]:
    """The device of each operation that a core session has placed."""
    devices = core.devices()
    return {name: devices[index] for name, index in core.placements().items()}


class KnownPlacements:
    """The placements of a core session, copied from it when first asked for after a change. Thread-safe."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._version: object = None
        self._copy: tuple[object, Mapping[str, str]] | None = None

    def changed(self) -> None:
        """To be called after the core has placed operations."""
        self._version = object()

    def __call__(self) -> Mapping[str, str]:
        """The device of each operation, by its name."""
        version, copy = self._version, self._copy  # the version first: the core may place more while it is asked
        if copy is None or copy[0] is not version:
            copy = self._copy = version, placements(self._core)
        return copy[1]


def log_device_mapping() -> None:
    """Says which devices there are besides the CPUs: none."""
    _show("Device mapping: no known devices.\n")
    _log("Device mapping:\n")


def report_placement(core: Any) -> None:
    """Prints and logs what a core session has placed since the last report, and what it found odd about it.

    A core session remembers operations for this only if it was made with `log_device_placement`.
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
    """A line for the logger. Where that keeps back what is no warning, as it does unless a program says otherwise, the line goes
    to standard error as TensorFlow's engine writes such lines, and as TF_CPP_MIN_LOG_LEVEL allows."""
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
