"""`tf.estimator.experimental.call_logit_fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import given_of
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor


@tf_export("estimator.experimental.call_logit_fn")
@called_by_users
def call_logit_fn(logit_fn: Callable[..., Any], features: Any, mode: Any, params: Any, config: Any) -> Any:
    """Calls a logit function with the arguments that it has.

    Args:
      logit_fn: takes `features`, and any of `mode`, `params` and `config`.
      features, mode, params, config: the arguments to pass.

    Returns:
      The result of `logit_fn`: a tensor, or a dict of tensors by name.

    Raises:
      ValueError: if the result is something else.
    """
    given = given_of(logit_fn, mode=lambda: mode, params=lambda: params, config=lambda: config)
    logits = logit_fn(features=features, **given)
    named = isinstance(logits, dict) and all(isinstance(k, str) and isinstance(v, Tensor) for k, v in logits.items())
    if not named and not isinstance(logits, Tensor):
        raise ValueError(
            f"logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: {logits}"
        )
    return logits
