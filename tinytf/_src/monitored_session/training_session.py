"""`tf.train.MonitoredTrainingSession`: a monitored session with the usual hooks of a training."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.monitored_session.checkpoint_saver_hook import CheckpointSaverHook
from tinytf._src.monitored_session.input_state import InputState
from tinytf._src.monitored_session.monitored_session import MonitoredSession
from tinytf._src.monitored_session.recovery import RecoveryPolicy
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator, WorkerSessionCreator
from tinytf._src.monitored_session.step_counter_hook import StepCounterHook
from tinytf._src.monitored_session.summary_saver_hook import SummarySaverHook

USE_DEFAULT: Any = object()  # marks omitted arguments


@tf_export("train.MonitoredTrainingSession")
@called_by_users
def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: Any = USE_DEFAULT,
    save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: str | None = None,
    *,
    recovery: RecoveryPolicy | None = None,
    handle_signals: bool | None = None,
    always_end: bool = False,
    async_save: bool = False,
    durable: bool = False,
    save_input_state: bool = False,
) -> MonitoredSession:
    """Creates a `MonitoredSession` that resumes from the latest checkpoint, and writes checkpoints, summaries and step
    rate.

    Args:
      master: the sessions' target.
      is_chief: bool; others wait for the chief to initialize the model, and only call `hooks`.
      checkpoint_dir: directory of checkpoints; None: none are restored or written.
      scaffold: a `Scaffold`; None: a default one.
      hooks: `SessionRunHook`s, called after all others, or None.
      chief_only_hooks: `SessionRunHook`s, called first, for the chief only, or None.
      save_checkpoint_secs, save_checkpoint_steps: interval between checkpoints; give at most one of both.
        Neither given: 600 seconds; None or 0: no checkpoints.
      save_summaries_steps, save_summaries_secs: interval between summaries; give at most one of both.
        Neither given: 100 steps; None or 0: no summaries.
      config: the sessions' `ConfigProto`, or None.
      stop_grace_period_secs: float, how long to wait for threads when closing.
      log_step_count_steps: int, steps between log lines with the step rate; None or 0: none.
      max_wait_secs: float, how long other replicas wait for the chief.
      summary_dir: directory of summaries; None: `checkpoint_dir`.
      recovery, always_end: as of `MonitoredSession`.
      handle_signals: bool, whether SIGTERM and Ctrl-C save before they end the training, see `MonitoredSession`; None:
        if checkpoints are written.
      async_save: bool, whether checkpoints are written in the background; see `tf.train.Saver`. Ignored if the scaffold
        has a saver.
      durable: bool, whether checkpoints survive a power loss; see `tf.train.Saver`. Ignored if the scaffold has a
        saver.
      save_input_state: bool, whether checkpoints have the positions of the graph's `tf.data` iterators too, so that a
        training that resumes reads the elements that would have come next. A position consists of all elements in
        buffers. Initializers continue there when they first run in a session that was restored; if the checkpoint has
        no position of an iterator, it begins with its first element, and a warning says so. Ignored without a
        `checkpoint_dir` and for others than the chief.

    Raises:
      ValueError: if both steps and seconds are given for an interval, and if `save_input_state` meets a saver that was
        built before.
      DataLossError, InvalidArgumentError: if a position in the checkpoint does not fit an iterator, because the program
        has changed its dataset.

    Example:
      with tf.train.MonitoredTrainingSession(checkpoint_dir="/tmp/model") as sess:
        while not sess.should_stop():
          sess.run(train_op)
    """
    summary_steps, summary_secs = _periods(save_summaries_steps, save_summaries_secs, (100, None))
    checkpoint_steps, checkpoint_secs = _periods(save_checkpoint_steps, save_checkpoint_secs, (None, 600))
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(
            worker,
            hooks,
            stop_grace_period_secs,
            recovery=recovery,
            handle_signals=bool(handle_signals),
            always_end=always_end,
        )
    scaffold._saver_options = {"async_save": async_save, "durable": durable}
    if save_input_state and checkpoint_dir:
        scaffold._input_state = scaffold._input_state or InputState()
    saves = bool(checkpoint_dir and (_is_period(checkpoint_secs) or _is_period(checkpoint_steps)))
    all_hooks = list(chief_only_hooks or ())
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(StepCounterHook(every_n_steps=log_step_count_steps, output_dir=summary_dir))
        if _is_period(summary_steps) or _is_period(summary_secs):
            all_hooks.append(
                SummarySaverHook(
                    scaffold=scaffold, save_steps=summary_steps, save_secs=summary_secs, output_dir=summary_dir
                )
            )
    if checkpoint_dir and saves:
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir, save_steps=checkpoint_steps, save_secs=checkpoint_secs, scaffold=scaffold
            )
        )
    all_hooks += hooks or ()
    chief = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(
        chief,
        all_hooks,
        stop_grace_period_secs,
        recovery=recovery,
        handle_signals=saves if handle_signals is None else handle_signals,
        always_end=always_end,
    )


def _periods(steps: Any, secs: Any, default: tuple[Any, Any]) -> tuple[Any, Any]:
    """Returns (steps, seconds): the default if neither was given; omitted values become None."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default
    return (None if steps is USE_DEFAULT else steps), (None if secs is USE_DEFAULT else secs)


def _is_period(number: Any) -> bool:
    return bool(number and number > 0)
