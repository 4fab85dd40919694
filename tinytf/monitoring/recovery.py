"""How often, and how soon, a lost session is made again."""

from __future__ import annotations

import random
import time
from collections import deque
from dataclasses import dataclass

from tinytf.exports import tf_export

_MOST_CAUSES = 1000  # that are remembered


@tf_export("experimental.RecoveryPolicy")
@dataclass(frozen=True)
class RecoveryPolicy:
    """The first new session is made at once, further ones, if no step succeeded in between, after waits that double.

    Waits are shortened at random, by half at most, so that workers that lost the same server do not come back together.
    """

    first_wait_secs: float = 0.1
    longest_wait_secs: float = 10.0
    most_failures: int | None = None  # in a row, without a step that succeeded; None: any number
    deadline_secs: float | None = None  # for a row of failures; None: forever


@tf_export("experimental.RecoveryError")
class RecoveryError(RuntimeError):
    """A session was lost too often, or for too long: the error that it was lost by is its cause."""


class Backoff:
    """Counts failures in a row, and waits. For one monitored session."""

    def __init__(self, policy: RecoveryPolicy) -> None:
        self._policy = policy
        self.recoveries = 0  # in all
        self.failures = 0  # in a row
        self.steps_again = 0  # that new sessions had to do again, as far as that is known
        self.causes: deque[str] = deque(maxlen=_MOST_CAUSES)
        self._since = 0.0

    def succeeded(self) -> None:
        """Ends the row."""
        self.failures = 0

    def failed(self, error: BaseException) -> None:
        """Waits until a new session may be made. RecoveryError if none may be."""
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
                f"The session was lost, and {spent:.1f} seconds did not bring it back: {error}"
            ) from error
        if wait:
            time.sleep(wait)
