"""TensorFlow's path to the predefined session hooks."""

from tinytf._src.monitored_session.checkpoint_saver_hook import CheckpointSaverHook
from tinytf._src.monitored_session.checkpoint_saver_listener import CheckpointSaverListener
from tinytf._src.monitored_session.feed_and_final_hooks import FeedFnHook, FinalOpsHook
from tinytf._src.monitored_session.global_step_waiter_hook import GlobalStepWaiterHook
from tinytf._src.monitored_session.logging_tensor_hook import LoggingTensorHook
from tinytf._src.monitored_session.nan_tensor_hook import NanLossDuringTrainingError, NanTensorHook
from tinytf._src.monitored_session.profiler_hook import ProfilerHook
from tinytf._src.monitored_session.step_counter_hook import StepCounterHook
from tinytf._src.monitored_session.stop_at_step_hook import StopAtStepHook
from tinytf._src.monitored_session.summary_saver_hook import SummarySaverHook
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf.python.paths import other_names as _other_names

__all__ = [
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "FeedFnHook",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "LoggingTensorHook",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "ProfilerHook",
    "SecondOrStepTimer",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
]

__getattr__ = _other_names(globals())
