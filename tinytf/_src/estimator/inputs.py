"""Takes features and labels from the results of input functions."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.data.dataset import DatasetV2
from tinytf._src.data.dataset_v1 import make_initializable_iterator
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.training.session_run_hook import SessionRunHook


class ModelInput(NamedTuple):
    """The input of a model. `hooks` start it in each new session."""

    features: Any
    labels: Any
    hooks: list[SessionRunHook]


class _DatasetInitializerHook(SessionRunHook):
    """Initializes an iterator in each new session."""

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        """Creates the operation."""
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs the operation."""
        session.run(self._initializer)


def features_and_labels(result: Any) -> ModelInput:
    """Splits the result of an input function, or an element of the dataset that it returned; labels are None if there are
    features only.

    ValueError for a sequence whose length is not 2, NotImplementedError for a dataset of another library.
    """
    hooks: list[SessionRunHook] = []
    if isinstance(result, DatasetV2):
        iterator = make_initializable_iterator(result)
        hooks.append(_DatasetInitializerHook(iterator))
        result = iterator.get_next()
    _refuse_foreign_dataset(result)
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return ModelInput(result[0], result[1], hooks)
    return ModelInput(result, None, hooks)


def features_to_predict(result: Any) -> ModelInput:
    """Takes the features only; warns if the input never ends."""
    found = features_and_labels(result)
    if not (found.hooks or get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS)):
        tf_logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields forever. This is "
            "probably a mistake."
        )
    return found


def _refuse_foreign_dataset(result: Any) -> None:
    """Raises NotImplementedError for datasets of TensorFlow, whose tensors belong to a foreign graph."""
    if any(kind.__name__ in ("DatasetV1", "DatasetV2") for kind in type(result).__mro__):
        raise NotImplementedError("input_fn returned a dataset of another library. Make it with tinytf's tf.data.")
