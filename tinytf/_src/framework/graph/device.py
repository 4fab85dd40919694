"""Device names: `DeviceSpec`, its text form, and the device functions with which `tf.device` merges names."""

from __future__ import annotations

import functools
from typing import Any

from tinytf._src.exports import named, tf_export

Fields = tuple["str | None", "int | None", "int | None", "str | None", "int | None"]


@tf_export("DeviceSpec")
@named("DeviceSpecV1")
class DeviceSpec:
    """A full or partial device specification: job, replica, task, device type and device index, each possibly None.

    Mutable, as in TensorFlow 1; do not change it while other threads read it.

    Args:
      job: str, name of the job.
      replica: int, index of the replica.
      task: int, index of the task.
      device_type: str, such as "CPU" or "GPU"; "cpu" and "gpu" are converted to upper case.
      device_index: int, index among the devices of this type; None means any.

    Raises:
      ValueError: for indices that are not integers.
    """

    __slots__ = ("_job", "_replica", "_task", "_device_type", "_device_index")

    def __init__(
        self, job: Any = None, replica: Any = None, task: Any = None, device_type: Any = None, device_index: Any = None
    ) -> None:
        self.job = job
        self.replica = replica
        self.task = task
        self.device_type = device_type
        self.device_index = device_index

    @property
    def job(self) -> str | None:
        """The job's name."""
        return self._job

    @job.setter
    def job(self, job: Any) -> None:
        self._job = None if job is None else str(job)

    @property
    def replica(self) -> int | None:
        """The replica's number."""
        return self._replica

    @replica.setter
    def replica(self, replica: Any) -> None:
        self._replica = None if replica is None else int(replica)

    @property
    def task(self) -> int | None:
        """The task's number."""
        return self._task

    @task.setter
    def task(self, task: Any) -> None:
        self._task = None if task is None else int(task)

    @property
    def device_type(self) -> str | None:
        """The type, "CPU" or "GPU" for example."""
        return self._device_type

    @device_type.setter
    def device_type(self, device_type: Any) -> None:
        if device_type in ("cpu", "gpu"):
            device_type = device_type.upper()
        self._device_type = None if device_type is None else str(device_type)

    @property
    def device_index(self) -> int | None:
        """The index among the devices of its type; None means any."""
        return self._device_index

    @device_index.setter
    def device_index(self, device_index: Any) -> None:
        self._device_index = None if device_index is None else int(device_index)

    def _fields(self) -> Fields:
        return self._job, self._replica, self._task, self._device_type, self._device_index

    def to_string(self) -> str:
        """The name `/job:j/replica:r/task:t/device:TYPE:i` without the fields that are None; a missing index becomes
        `*`."""
        return _join(*self._fields())

    @classmethod
    def from_string(cls, spec: str | None) -> DeviceSpec:
        """Parses a device name.

        Args:
          spec: str, such as "/job:worker/task:1/device:CPU:0"; None or "" means an empty specification.

        Returns:
          A new DeviceSpec.

        Raises:
          ValueError: if `spec` is not a device name.
        """
        return cls(*_parse(spec))

    def parse_from_string(self, spec: str | None) -> DeviceSpec:
        """Replaces all fields by those parsed from a device name.

        Args:
          spec: str, a device name; None or "" clears all fields.

        Returns:
          This object.

        Raises:
          ValueError: if `spec` is not a device name.
        """
        self.job, self.replica, self.task, self.device_type, self.device_index = _parse(spec)
        return self

    def merge_from(self, dev: DeviceSpec) -> None:
        """Overwrites fields with the fields that another specification sets.

        Args:
          dev: DeviceSpec.
        """
        self.job, self.replica, self.task, self.device_type, self.device_index = self._merged_fields(dev)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """Merges two specifications.

        Args:
          dev: DeviceSpec, whose fields take precedence.

        Returns:
          A new DeviceSpec.
        """
        return type(self)(*self._merged_fields(dev))

    def _merged_fields(self, dev: DeviceSpec) -> tuple[Any, ...]:
        return tuple(
            [mine if theirs is None else theirs for mine, theirs in zip(self._fields(), dev._fields(), strict=True)]
        )

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """A new DeviceSpec with some fields changed; keyword arguments are the constructor's."""
        names = ("job", "replica", "task", "device_type", "device_index")
        return type(self)(**{**dict(zip(names, self._fields(), strict=True)), **kwargs})

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, DeviceSpec) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"DeviceSpec({self.to_string()!r})"


@functools.lru_cache(maxsize=1024)
def _parse(spec: str | None) -> tuple[Any, ...]:
    job: Any = None
    replica: Any = None
    task: Any = None
    device_type: Any = None
    device_index: Any = None
    for part in (spec or "").split("/"):
        key, *rest = part.split(":")
        if key in ("job", "replica", "task") and len(rest) == 1:
            if key == "job":
                job = rest[0]
            elif key == "replica":
                replica = int(rest[0])
            else:
                task = int(rest[0])
        elif (key.upper() in ("CPU", "GPU") and len(rest) < 2) or (key == "device" and len(rest) == 2):
            if device_type is not None:
                raise ValueError(f"Cannot specify multiple device types: {spec}")
            device_type, *index = rest if key == "device" else [key.upper(), *rest]
            if index and index[0] != "*":
                device_index = int(index[0])
        elif key:
            raise ValueError(f"Unknown attribute: '{key}' in '{spec}'")
    return job, replica, task, device_type, device_index


@functools.lru_cache(maxsize=1024)
def _join(
    job: str | None, replica: int | None, task: int | None, device_type: str | None, device_index: int | None
) -> str:
    parts = [] if job is None else ["/job:" + job]
    if replica is not None:
        parts.append(f"/replica:{replica}")
    if task is not None:
        parts.append(f"/task:{task}")
    if device_type is not None:
        parts.append(f"/device:{device_type}:{'*' if device_index is None else device_index}")
    return "".join(parts)


def check_valid(spec: str | None) -> None:
    """Raises ValueError unless `spec` is a device name."""
    DeviceSpec.from_string(spec)


def is_device_spec(obj: Any) -> bool:
    """Whether `obj` is a `DeviceSpec`."""
    return isinstance(obj, DeviceSpec)


def canonical_name(device: Any) -> str:
    """The full text form of a `DeviceSpec` or device name; '' for None. Raises ValueError for invalid names."""
    if device is None or device == "":
        return ""
    return device.to_string() if isinstance(device, DeviceSpec) else DeviceSpec.from_string(device).to_string()


def as_name(device: Any) -> str:
    """The name of a `DeviceSpec`, or a str or bytes name unchanged and unchecked (the session checks it). Raises
    TypeError for other values."""
    if isinstance(device, DeviceSpec):
        return device.to_string()
    if isinstance(device, bytes):
        return device.decode()
    if isinstance(device, str):
        return device
    raise TypeError(f"Expected binary or unicode string, got {device!r}")


class MergeDevice:
    """The device function of `tf.device(name)`: fills the fields that an operation's device leaves open.

    Immutable: it keeps the text of the specification at its creation.
    """

    __slots__ = ("_spec", "_is_null", "_merged")

    def __init__(self, spec: Any) -> None:
        self._spec = DeviceSpec.from_string(canonical_name(spec))
        self._is_null = not self._spec.to_string()
        self._merged: dict[str, str] = {}

    def __call__(self, node_def: Any) -> DeviceSpec:
        """The device of a node (any object with `.device`), completed by this specification."""
        return DeviceSpec.from_string(self.merge_name(node_def.device))

    def shortcut_string_merge(self, node_def: Any) -> str:
        """Like calling the object, but returns the device name."""
        return self.merge_name(node_def.device)

    def merge_name(self, device: str | None) -> str:
        """A device name completed by this specification. Raises ValueError if `device` is not a device name."""
        device = device or ""
        merged = self._merged.get(device)
        if merged is None:
            merged = self._spec.make_merged_spec(DeviceSpec.from_string(device)).to_string()
            self._merged[device] = merged
        return merged

    @property
    def is_null_merge(self) -> bool:
        """Whether the specification is empty, so that merging changes nothing."""
        return self._is_null

    def __repr__(self) -> str:
        return f"{super().__repr__()} (spec: {self._spec.to_string()})"


@functools.lru_cache(maxsize=1024)
def _merge_device_of_name(name: str) -> MergeDevice:
    return MergeDevice(name)


def merge_device(spec: Any) -> MergeDevice:
    """The device function of a `DeviceSpec` or device name. Raises ValueError for invalid names."""
    return spec if isinstance(spec, MergeDevice) else _merge_device_of_name(canonical_name(spec))
