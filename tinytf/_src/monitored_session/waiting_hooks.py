"""Hooks that are skipped in steps that do not feed the placeholders that they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.step_fetches import StepFetches
from tinytf._src.monitored_session.unfed import UnfedInputs


class WaitingHooks:
    """Skips the hooks with `waits_for_feeds` whose fetches depend on placeholders that a step does not feed."""

    def __init__(self, unfed: UnfedInputs) -> None:
        self._unfed = unfed
        self._reported: list[Any] = []  # hooks already reported as skipped

    def without_skipped(
        self, step: StepFetches, hooks: Sequence[Any], fetches: Any, requests: Sequence[Any], feed_dict: Any
    ) -> StepFetches:
        """Returns the fetches of a step without the requests of hooks that are to be skipped."""
        can_wait = [
            getattr(hook, "waits_for_feeds", False) and request is not None and request.fetches is not None
            for hook, request in zip(hooks, requests)
        ]
        needy = [can and bool(self._unfed.of(request.fetches, None)) for can, request in zip(can_wait, requests)]
        if not any(needy):
            return step
        left = list(requests)
        for i, hook in enumerate(hooks):
            missing = self._unfed.of(requests[i].fetches, feed_dict) if needy[i] else None
            if missing:
                left[i] = None
                if hook not in self._reported:
                    self._reported.append(hook)
                    text = "%s is skipped in steps that do not feed %s."
                    tf_logging.warning(text, type(hook).__name__, ", ".join(missing))
        step = StepFetches(fetches, left)
        step.asked = requests
        step.feed_keys = ()
        return step
