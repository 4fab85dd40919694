"""Creates the sessions of a monitored session: the first one, and a new one after each loss."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.monitored_session.coordinated_session import CoordinatedSession
from tinytf._src.monitored_session.hooked_session import HookedSession
from tinytf._src.monitored_session.queue_runners import start_threads
from tinytf._src.monitored_session.restoring import restored_checkpoint
from tinytf._src.monitored_session.session_creators import SessionCreator
from tinytf._src.monitored_session.session_report import Times
from tinytf._src.monitored_session.stop_state import StopState
from tinytf._src.training.coordinator import Coordinator


class CoordinatedCreator(SessionCreator):
    """Creates sessions, starts their queue runners, calls the hooks, and holds the latest session."""

    def __init__(
        self, creator: SessionCreator, hooks: list[Any], stop: StopState, stop_grace_period_secs: float
    ) -> None:
        self._creator = creator
        self._hooks = hooks
        self._stop = stop
        self._grace = stop_grace_period_secs
        self.times = Times(hooks)
        self.created = 0
        self.first_checkpoint: str | None = None  # restored by the latest session
        self.tf_sess: Any = None
        self.coord: Coordinator | None = None

    def create_session(self) -> CoordinatedSession:
        """Creates a session. If that fails halfway, closes the unfinished session."""
        self.tf_sess = self._creator.create_session()
        self.created += 1
        self.first_checkpoint = restored_checkpoint(self.tf_sess)
        self.coord = Coordinator(clean_stop_exception_types=())
        hooked = HookedSession(self.tf_sess, self._hooks, self._stop, self.times)
        made = CoordinatedSession(hooked, self.coord, self._grace)
        try:
            runners = self.tf_sess.graph.get_collection(GraphKeys.QUEUE_RUNNERS)
            if runners:
                start_threads(self.tf_sess, runners, self.coord)
            for hook in self._hooks:
                hook.after_create_session(self.tf_sess, self.coord)
        except BaseException as error:
            try:
                made.close()
            except Exception as other:  # error of a thread: the first error takes precedence
                error.__context__ = other
            self.forget()
            raise
        return made

    def forget(self) -> None:
        """Drops the references to the session."""
        self.tf_sess = None
        self.coord = None
