"""TensorFlow's path to the predefined session hooks."""

from tinytf.monitoring.checkpoint_saver_hook import CheckpointSaverHook
from tinytf.monitoring.checkpoint_saver_listener import CheckpointSaverListener
from tinytf.monitoring.feed_and_final_hooks import FeedFnHook, FinalOpsHook
from tinytf.monitoring.global_step_waiter_hook import GlobalStepWaiterHook
from tinytf.monitoring.logging_tensor_hook import LoggingTensorHook
from tinytf.monitoring.nan_tensor_hook import NanLossDuringTrainingError, NanTensorHook
from tinytf.monitoring.profiler_hook import ProfilerHook
from tinytf.monitoring.step_counter_hook import StepCounterHook
from tinytf.monitoring.stop_at_step_hook import StopAtStepHook
from tinytf.monitoring.summary_saver_hook import SummarySaverHook
from tinytf.python.paths import other_names as _other_names
from tinytf.training.second_or_step_timer import SecondOrStepTimer

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
