"""Device and colocation scopes of a graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any

from tinytf._src.framework.graph import device as device_lib
from tinytf._src.framework.graph.bases import BaseOperation, BaseTensor
from tinytf._src.framework.graph.scopes import GraphScopes
from tinytf._src.framework.sites.call_site import CallSite
from tinytf._src.framework.values import tensor_like

_convert: Callable[[Any], Any]


def set_conversion(convert: Callable[[Any], Any]) -> None:
    """Sets the function that converts what an operation is colocated with to a tensor. `conversion` calls it, which
    imports graphs."""
    global _convert
    _convert = convert


class GraphDevices:
    """Assigns devices and colocation groups to new operations of a graph."""

    def __init__(self, core: Any, scopes: GraphScopes[Any]) -> None:
        self._core = core
        self._scopes = scopes

    @property
    def open(self) -> list[DeviceScope]:
        """The list of open device scopes; scopes that are entered and left later modify it."""
        return self._scopes.open.devices

    @contextmanager
    def instead(self, devices: list[DeviceScope]) -> Iterator[None]:
        """Context manager that replaces the open device scopes in its body."""
        saved = self._scopes.open.devices
        self._scopes.open.devices = devices
        try:
            yield
        finally:
            self._scopes.open.devices = saved

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """See `Graph.device`."""
        return self._entered_device(device_name_or_function, CallSite(_users_frame()))

    @contextmanager
    def _entered_device(self, request: Any, site: CallSite) -> Iterator[None]:
        """Evaluates the request when the scope is entered, as in TensorFlow."""
        scope = DeviceScope(request, site)
        around = self._scopes.open.devices
        scope.device = _device_of_all([*around, scope])
        around.append(scope)
        try:
            yield
        finally:
            devices = self._scopes.open.devices
            if not devices or devices[-1] is not scope:
                raise RuntimeError("Exiting device scope without proper scope nesting.")
            devices.pop()

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """See `Graph.colocate_with`."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        target = None if op is None else _colocation_target(op)
        scopes = self._scopes.open
        saved = scopes.devices, scopes.colocation, scopes.colocation_sites
        scopes.devices = []
        scopes.colocation = [] if ignore_existing else list(scopes.colocation)
        scopes.colocation_sites = {} if ignore_existing else dict(scopes.colocation_sites)
        if target is not None:
            scopes.colocation.append(target)
            scopes.colocation_sites[target.name] = CallSite(sys._getframe(2))
        try:
            yield
        finally:
            scopes = self._scopes.open
            scopes.devices, scopes.colocation, scopes.colocation_sites = saved

    def place(self, op: BaseOperation, asks_devices: bool) -> None:
        """Gives a new operation the colocation group and, if `asks_devices`, the device of the open scopes."""
        scopes = self._scopes.open
        if scopes.devices and asks_devices:
            self.place_by_device(op)
        if scopes.colocation:
            self.colocate(op, scopes.colocation, None, keeps_groups=False)
            op._colocation_dict = dict(scopes.colocation_sites)

    def colocate(self, op: BaseOperation, others: list[BaseOperation], device: str | None, keeps_groups: bool) -> None:
        """Colocates an operation with others, possibly of other graphs: it joins their groups, and keeps its own if
        `keeps_groups`. It gets the device of the last one that has a device; if none has, `device`, or its previous one
        if that is None."""
        places = [(other._graph._core, other._id) for other in others]
        self._core.colocate(op._id, places, device, keeps_groups)

    def place_by_device(self, op: BaseOperation) -> None:
        """Gives an operation the device of the open `device` scopes."""
        devices = self._scopes.open.devices
        op._device_assignments = list(devices)
        device = devices[-1].device
        if device is None:
            device = ""
            for scope in reversed(devices):
                if scope.function is None:
                    break
                device = scope.apply(op, device)
        self._core.set_device(op._id, device)

    def colocated_device(self) -> str:
        """The device of the innermost colocation operation that has one; '' if there is none."""
        return next((other.device for other in reversed(self._scopes.open.colocation) if other.device), "")


def _users_frame() -> FrameType | None:
    """The innermost frame outside the framework, where the device was requested."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(
        ("tinytf._src.framework.", "contextlib")
    ):
        frame = frame.f_back
    return frame


class DeviceScope:
    """One `device` scope: the request, and its effect on the device chosen by inner scopes."""

    __slots__ = ("_request", "function", "device", "_replaces", "_site")

    def __init__(self, request: Any, site: CallSite | None = None) -> None:
        self._request = request
        self._replaces = callable(request) and not isinstance(request, device_lib.MergeDevice)
        self.function: Callable[..., Any] | None = None
        # Requested by this scope and its outer scopes; None if it depends on the operation.
        self.device: str | None = None
        if request is not None:
            self.function = request if self._replaces else device_lib.merge_device(request)
        self._site = CallSite(_users_frame()) if site is None else site

    @property
    def obj(self) -> str:
        """The request as text: a name, or a function and where it is defined."""
        if not self._replaces:
            spec = isinstance(self._request, device_lib.DeviceSpec)
            return self._request.to_string() if spec else str(self._request)
        code = getattr(self._request, "__code__", None)
        name = getattr(self._request, "__name__", None) or str(type(self._request))
        return f"{name}<{code.co_filename}, {code.co_firstlineno}>" if code else f"{name}<unknown, -1>"

    @property
    def filename(self) -> str:
        return self._site.filename

    @property
    def lineno(self) -> int:
        return self._site.lineno

    def apply(self, op: BaseOperation, device: str) -> str:
        if not self._replaces:
            return self.merged(device)
        assert self.function is not None
        op._graph._core.set_device(op._id, device)
        chosen = self.function(op)
        return device_lib.as_name(chosen)

    def merged(self, device: str) -> str:
        """The device of inner scopes, completed by this scope's device."""
        assert isinstance(self.function, device_lib.MergeDevice)
        return device if self.function.is_null_merge else self.function.merge_name(device)


def _device_of_all(scopes: list[DeviceScope]) -> str | None:
    """The merged device of scopes, innermost last; None if one of them is a function of the operation."""
    device = ""
    for scope in reversed(scopes):
        if scope.function is None:
            break
        if scope._replaces:
            return None
        device = scope.merged(device)
    return device


def _colocation_target(op: Any) -> BaseOperation | None:
    """The operation to colocate with; None for eager tensors, which are in no graph."""
    if isinstance(op, BaseOperation):
        return op
    values = getattr(op, "values", None)  # of IndexedSlices
    handle = getattr(op, "handle", None)  # a resource variable is colocated with its handle
    for tensor in (op, values, handle):
        if isinstance(tensor, BaseTensor):
            return None if tensor_like.is_eager_tensor(tensor) else tensor._op
    element = getattr(op, "_as_graph_element", None)
    if element is not None:
        return _colocation_target(element())
    handle = getattr(op, "op", None)
    if isinstance(handle, BaseOperation):
        return handle
    return _colocation_target(_convert(op))
