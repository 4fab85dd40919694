"""Policy for the recreation of lost sessions."""

from __future__ import annotations

import random
import time
from collections import deque
from dataclasses import dataclass

from tinytf._src.exports import tf_export

_MOST_CAUSES = 1000  # bound of the list of causes


@tf_export("experimental.RecoveryPolicy")
@dataclass(frozen=True)
class RecoveryPolicy:
    """Limits and delays for the recreation of lost sessions.

    The first new session is created at once; while no step succeeds, further ones follow after delays that double each
    time. Delays are randomly shortened, by half at most, so that workers that lost the same server do not return
    together.

    Args:
      first_wait_secs: float, the first delay.
      longest_wait_secs: float, the maximal delay.
      most_failures: int, maximal number of consecutive failures; None: unlimited.
      deadline_secs: float, maximal duration of consecutive failures; None: unlimited.
    """

    first_wait_secs: float = 0.1
    longest_wait_secs: float = 10.0
    most_failures: int | None = None  # consecutive, without a successful step; None: unlimited
    deadline_secs: float | None = None  # for consecutive failures; None: unlimited


@tf_export("experimental.RecoveryError")
class RecoveryError(RuntimeError):
    """Raised if a session was lost too often or for too long; its cause is the last error."""


class Backoff:
    """Counts consecutive failures and delays recreation. For one monitored session."""

    def __init__(self, policy: RecoveryPolicy) -> None:
        self._policy = policy
        self.recoveries = 0  # total
        self.failures = 0  # consecutive
        self.steps_again = 0  # steps repeated by new sessions, if known
        self.causes: deque[str] = deque(maxlen=_MOST_CAUSES)
        self._since = 0.0

    def succeeded(self) -> None:
        """Resets the count of consecutive failures."""
        self.failures = 0

    def failed(self, error: BaseException) -> None:
        """Waits until a new session may be created. RecoveryError if the policy's limits are exceeded."""
        policy = self._policy
        self.recoveries += 1
        self.failures += 1
        self.causes.append(f"{type(error).__name__}: {error}")
        if self.failures == 1:
            self._since = time.monotonic()
            wait = 0.0
        else:
            wait = min(policy.first_wait_secs * 2.0 ** min(self.failures - 2, 60), policy.longest_wait_secs)
            wait *= random.uniform(0.5, 1.0)
        spent = time.monotonic() - self._since
        if policy.most_failures is not None and self.failures > policy.most_failures:
            raise RecoveryError(f"The session was lost {self.failures} times in a row: {error}") from error
        if policy.deadline_secs is not None and spent + wait > policy.deadline_secs:
            raise RecoveryError(
                f"The session was lost and could not be recovered in {spent:.1f} seconds: {error}"
            ) from error
        if wait:
            time.sleep(wait)
