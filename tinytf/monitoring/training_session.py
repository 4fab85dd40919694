"""`tf.train.MonitoredTrainingSession`: a monitored session with the hooks that a training wants."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.monitoring.checkpoint_saver_hook import CheckpointSaverHook
from tinytf.monitoring.monitored_session import MonitoredSession
from tinytf.monitoring.recovery import RecoveryPolicy
from tinytf.monitoring.scaffold import Scaffold
from tinytf.monitoring.session_creators import ChiefSessionCreator, WorkerSessionCreator
from tinytf.monitoring.step_counter_hook import StepCounterHook
from tinytf.monitoring.summary_saver_hook import SummarySaverHook

USE_DEFAULT: Any = object()  # no number was given


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
) -> MonitoredSession:
    """A `MonitoredSession` that goes on from the newest checkpoint, and writes checkpoints, summaries and the speed.

    Args:
      master: the sessions' target, and `config` their `ConfigProto`.
      is_chief: else the model is made ready by the chief, and only `hooks` are called.
      checkpoint_dir: the folder of checkpoints.
      scaffold: the pieces of the model; one of the defaults when None.
      hooks: called last; `chief_only_hooks` first, by the chief.
      save_checkpoint_secs, save_checkpoint_steps: how often to save; one of both. 600 seconds when none is given; None or
        0: never.
      save_summaries_steps, save_summaries_secs: how often to write summaries; one of both. 100 steps when none is given;
        None or 0: never.
      stop_grace_period_secs: how long threads have for their end.
      log_step_count_steps: how often to log the steps in a second; None or 0: never.
      max_wait_secs: how long to wait for the chief.
      summary_dir: the folder of summaries; `checkpoint_dir` when None.
      recovery, always_end: see `MonitoredSession`.
      handle_signals: whether SIGTERM and Ctrl-C end the training in order: it is saved. See `MonitoredSession`; None: if
        there are checkpoints.
      async_save: whether checkpoints are written beside the steps, if the saver is made here. See `tf.train.Saver`.
      durable: whether checkpoints survive a loss of power, if the saver is made here. See `tf.train.Saver`.

    ValueError for steps and seconds.
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
    """Steps and seconds: the default if none of both was given; the other one is None if one was."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default
    return (None if steps is USE_DEFAULT else steps), (None if secs is USE_DEFAULT else secs)


def _is_period(number: Any) -> bool:
    return bool(number and number > 0)
