"""`tf.train.NanTensorHook`: stops a training whose loss is NaN."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.monitored_session.idling import WATCHFUL, Idle, idles
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook

_FLOATS = (dtypes.float32, dtypes.float64)  # dtypes that the core's gate can check for NaN


@tf_export("train.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """Raised by `NanTensorHook` if the loss is NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


@tf_export("train.NanTensorHook")
@idles
class NanTensorHook(SessionRunHook):
    """Checks a loss in each step, and stops the training if it is NaN.

    Args:
      loss_tensor: the loss, a scalar tensor.
      fail_on_nan_loss: bool, whether to raise NanLossDuringTrainingError; else a stop is requested.
    """

    waits_for_feeds = True  # results are None in steps that do not feed the loss's placeholders

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._args = SessionRunArgs(loss_tensor)
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: Any) -> Any:
        """Fetches the loss."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Checks the loss."""
        if run_values.results != run_values.results:  # true for NaN only; faster than isnan
            text = "Model diverged with loss = NaN."
            if self._fail_on_nan_loss:
                tf_logging.error(text)
                raise NanLossDuringTrainingError
            tf_logging.warning(text)
            run_context.request_stop()

    def _idle(self) -> Any:
        loss = self._args.fetches
        return Idle(number=loss) if isinstance(loss, Tensor) and loss.dtype.base_dtype in _FLOATS else WATCHFUL
