"""`tf.train.Supervisor`: creates training sessions, with threads that save and summarize in the background. The
predecessor of `MonitoredTrainingSession`, which uses hooks instead."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from operator import attrgetter
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.queue_runners import start_threads
from tinytf._src.monitored_session.supervisor_events import SupervisorEvents
from tinytf._src.monitored_session.supervisor_pieces import USE_DEFAULT, SupervisorOps, given_or
from tinytf._src.monitored_session.supervisor_services import (
    SVStepCounterThread,
    SVSummaryThread,
    SVTimerCheckpointThread,
)
from tinytf._src.session.session import Session
from tinytf._src.summary.file_writer import FileWriter
from tinytf._src.training.coordinator import Coordinator
from tinytf._src.training.looper_thread import LooperThread


@tf_export("train.Supervisor")
class Supervisor:
    """Creates sessions with an initialized model, and runs threads that write summaries and checkpoints. Finalizes the
    graph.

    Operations that are not given are looked up in the graph's collections, or created.

    Args:
      graph: a `Graph`; None: the default graph.
      ready_op, ready_for_local_init_op, local_init_op, local_init_run_options, recovery_wait_secs: as of
        `SessionManager`.
      is_chief: bool; others wait for the chief to initialize the model, and neither save nor write.
      init_op, init_feed_dict: operation that initializes global variables, and its feed dict.
      init_fn: called with the session after `init_op`, or None.
      logdir: directory of checkpoints and events; None: none are written.
      summary_op, saver, global_step: the summaries to write, the `Saver`, and the global step; each may be None.
      save_summaries_secs, save_model_secs: seconds between summaries, and between checkpoints; 0: never.
      stop_grace_secs: float, how long to wait for threads.
      checkpoint_basename: str, prefix of the checkpoints' names.
      session_manager: a `SessionManager`; None: a default one.
      summary_writer: a `FileWriter`; by default one for `logdir`; None: no events are written.

    Raises:
      RuntimeError: in eager execution.
      ValueError: if this is not the chief and a reference variable has no device.
    """

    USE_DEFAULT = USE_DEFAULT  # stands for an argument that was not given

    def __init__(
        self,
        graph: Graph | None = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError("Supervisors are not compatible with eager execution.")
        graph = graph or get_default_graph()
        given = SupervisorOps(ready_op, ready_for_local_init_op, init_op, local_init_op, saver, summary_op, global_step)
        with graph.as_default():
            self._ops = ops = given.completed()
        self.local_init_op = ops.local_init_op
        meta_graph_def = ops.meta_graph_def(graph)
        self._graph = graph
        self._is_chief = is_chief
        self._coord = Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._init_feed_dict = init_feed_dict
        self._init_fn = init_fn
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(self._logdir, checkpoint_basename) if self._logdir else None
        writer: Any = None
        if is_chief:
            writer = given_or(summary_writer, lambda: FileWriter(logdir) if logdir else None)
        self._events = SupervisorEvents(writer, self._logdir, graph, meta_graph_def, ops.global_step)
        self._session_manager = session_manager or ops.session_manager(
            graph, recovery_wait_secs, local_init_run_options
        )
        if not is_chief:
            _check_devices(graph)
        graph.finalize()

    # -- Properties --------------------------------------------------------------------------------------------------

    coord = property(attrgetter("_coord"), doc="Coordinator that stops the threads.")
    global_step = property(attrgetter("_ops.global_step"), doc="Global step tensor, or None.")
    init_feed_dict = property(attrgetter("_init_feed_dict"), doc="Feed dict for `init_op`.")
    init_op = property(attrgetter("_ops.init_op"), doc="Operation that initializes the global variables, or None.")
    is_chief = property(
        attrgetter("_is_chief"), doc="Whether this process initializes the model and writes checkpoints and summaries."
    )
    ready_for_local_init_op = property(
        attrgetter("_ops.ready_for_local_init_op"),
        doc="Tensor with the names of the variables that must be initialized before `local_init_op`, or None.",
    )
    ready_op = property(
        attrgetter("_ops.ready_op"),
        doc="Tensor with the names of uninitialized variables, or None if the model counts as ready.",
    )
    save_model_secs = property(
        attrgetter("_save_model_secs"), doc="Seconds between checkpoints; None unless this process is the chief."
    )
    save_path = property(attrgetter("_save_path"), doc="Prefix of checkpoint names; None without a directory.")
    save_summaries_secs = property(
        attrgetter("_save_summaries_secs"), doc="Seconds between summaries; None unless this process is the chief."
    )
    saver = property(attrgetter("_ops.saver"), doc="Saver that writes checkpoints, or None.")
    session_manager = property(attrgetter("_session_manager"), doc="SessionManager that creates the sessions.")
    summary_op = property(attrgetter("_ops.summary_op"), doc="Summary tensor that is written, or None.")
    summary_writer = property(attrgetter("_events.writer"), doc="Summary writer, or None.")

    # -- Sessions ----------------------------------------------------------------------------------------------------

    @called_by_users
    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Session:
        """Creates a session with an initialized model; the chief initializes or restores it, others wait for that.

        Args:
          master, config, wait_for_checkpoint, max_wait_secs: as of `SessionManager.prepare_session`.
          start_standard_services: bool, whether to start the threads, including queue runners.

        Returns:
          The `Session`.
        """
        self._coord.clear_stop()
        self._events.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self._ops.init_op,
                saver=self._ops.saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._events.write_graph()
            if start_standard_services:
                tf_logging.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            tf_logging.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    @contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Session]:
        """Returns a context manager for a session with an initialized model; arguments as of
        `prepare_or_wait_for_session`.

        An OutOfRangeError ends the block without propagating. Other errors, including errors of threads, are raised
        after all has stopped. `close_summary_writer`: whether the summary writer is closed, too.
        """
        sess: Any = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as error:  # of any class: `stop` raises it again
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    sess.close()

    # -- Threads -----------------------------------------------------------------------------------------------------

    def start_standard_services(self, sess: Any) -> list[LooperThread] | None:
        """Starts the threads that write summaries, step rate and checkpoints.

        Args:
          sess: the session.

        Returns:
          A list of the threads; None without a `logdir`.

        Raises:
          RuntimeError: unless this is the chief.
        """
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            tf_logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        self._events.write_start(sess)
        threads: list[LooperThread] = []
        if self._save_summaries_secs and self.summary_writer:
            if self._ops.summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._ops.global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self._ops.saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def start_queue_runners(self, sess: Any, queue_runners: Any = None) -> list[threading.Thread]:
        """Starts the threads of queue runners and returns them; `queue_runners` None: all in the graph's collection."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return start_threads(sess, queue_runners, self._coord)

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> LooperThread:
        """Starts and returns a thread that calls `target(*args, **kwargs)` until the stop, every `timer_interval_secs`
        seconds."""
        return LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Writes a summary.

        Args:
          sess: the session, from which the global step is read if none is given.
          summary: a `Summary` message, or its bytes.
          global_step: int, or None.

        Raises:
          RuntimeError: if there is no summary writer.
        """
        self._events.write_summary(sess, summary, global_step)

    # -- Stopping ----------------------------------------------------------------------------------------------------

    def stop(self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stops the threads, waits for them, and closes the event file. Raises the first error of a thread.

        Args:
          threads: additional threads to wait for, or None.
          close_summary_writer: bool, whether to close the summary writer.
          ignore_live_threads: bool, whether to ignore threads that do not end within the grace period; else
            RuntimeError.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if getattr(self._ops.saver, "saves_later", False):  # savers of other classes may lack it
                self._ops.saver.stop_waiting()
            if close_summary_writer:
                self._events.close()

    def request_stop(self, ex: Any = None) -> None:
        """Requests a stop; see `Coordinator.request_stop`."""
        self._coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Returns whether a stop was requested."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> AbstractContextManager[None]:
        """See `Coordinator.stop_on_exception`."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until a stop is requested."""
        self._coord.wait_for_stop()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def _check_devices(graph: Graph) -> None:
    for op in graph.get_operations():
        if op.type in ("Variable", "VariableV2") and not op.device:
            raise ValueError(f"When using replicas, all Variables must have their device set: {op}")


@tf_export("train.basic_train_loop")
def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    master: str = "",
) -> None:
    """Runs a training loop with sessions of a supervisor until that stops.

    Args:
      supervisor: a `Supervisor`.
      train_step_fn: called repeatedly as `train_step_fn(session, *args, **kwargs)`.
      args, kwargs: its further arguments, or None.
      master: the sessions' target. A session that is lost (AbortedError) is created again.
    """
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or ()), **(kwargs or {}))
        except errors_impl.AbortedError:
            continue
        return
