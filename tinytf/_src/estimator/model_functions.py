"""Calls of the program's functions: the model function of an estimator, and input functions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import fn_args, given_of
from tinytf._src.estimator.construction import check_model_fn
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import device


class ModelFunctions:
    """Calls functions with the parameters that they have; they get copies of the hyperparameters and the config.

    ValueError for a model function with other parameters.
    """

    def __init__(self, model_fn: Callable[..., EstimatorSpec], params: Any, config: RunConfig) -> None:
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._config = config

    def config(self) -> RunConfig:
        """Returns a copy of the config."""
        return copy.deepcopy(self._config)

    def params(self) -> Any:
        """Returns a copy of the hyperparameters."""
        return copy.deepcopy(self._params)

    def call_input_fn(self, input_fn: Callable[..., Any], mode: Any) -> Any:
        """Returns the result of an input function."""
        given = given_of(input_fn, mode=lambda: mode, params=self.params, config=self.config)
        with device("/cpu:0"):
            return input_fn(**given)

    def call_model_fn(self, features: Any, labels: Any, mode: Any, config: Any) -> EstimatorSpec:
        """Returns the specification of the model. ValueError if the function returns something else, or does not take
        the labels."""
        if labels is not None and "labels" not in fn_args(self._model_fn):
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        given = given_of(
            self._model_fn, labels=lambda: labels, mode=lambda: mode, params=self.params, config=lambda: config
        )
        tf_logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **given)
        tf_logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec
