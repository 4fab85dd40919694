"""`SessionSettings`: the checked arguments of the constructor of eager sessions."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.eager import strategies
from tinytf._src.eager.session_config import core_options
from tinytf._src.framework.logs import placement_log


class SessionSettings:
    """How an eager session executes operations and frees their values. Immutable.

    Takes the constructor's arguments and raises its errors.
    """

    def __init__(
        self,
        async_: bool,
        device_placement_policy: Any,
        resource_cleanup_strategy: Any,
        config: Any,
        track_sites: bool,
        marks: dict[str, Any],
    ) -> None:
        strategies.check(async_=async_, track_sites=track_sites, **marks)
        self.strategy = strategies.ResourceCleanupStrategy(resource_cleanup_strategy)
        self.policy = strategies.DevicePlacementPolicy(device_placement_policy)
        self.is_async = bool(async_)  # np.bool_ is accepted, too
        self.tracks_sites = bool(track_sites)
        self._config = config
        self._marks = marks
        self._core_options = core_options(config)
        if placement_log.wanted() is not None:
            self._core_options["log_device_placement"] = placement_log.wanted()
        self.logs_placement = bool(self._core_options.get("log_device_placement"))
        self.allows_soft_placement: bool = self._core_options.get("allow_soft_placement", False)

    def new_core(self) -> _core.SessionCore:
        """Returns a core with these settings."""
        return _core.SessionCore(
            strategy=int(self.strategy),
            asynchronous=self.is_async,
            device_policy=int(self.policy),
            track_sites=self.tracks_sites,
            **self._core_options,
            **self._marks,
        )

    def of_twin(self) -> dict[str, Any]:
        """Returns the constructor's arguments for a session that has the other execution mode and is otherwise
        equal."""
        return {
            "async_": not self.is_async,
            "device_placement_policy": self.policy,
            "resource_cleanup_strategy": self.strategy,
            "config": self._config,
            "track_sites": self.tracks_sites,
            **self._marks,
        }
