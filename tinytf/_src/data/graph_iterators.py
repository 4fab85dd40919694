"""The iterators of datasets in graphs."""

from __future__ import annotations

from typing import Any

from tinytf._src.data.applied_options import with_options_applied
from tinytf._src.data.base import datasets_below, variant_operations
from tinytf._src.data.iterators import Iterator, initializable_iterator, one_shot_iterator
from tinytf._src.data.owned_iterator import IteratorV2
from tinytf._src.eager.defined.defun import Defun
from tinytf._src.framework.apply.random_seed import get_seed
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import tf_logging


def one_shot(dataset: Any) -> Any:
    """Returns an iterator that starts by itself. See `DatasetV1.make_one_shot_iterator`."""
    if executing_eagerly():
        return IteratorV2(dataset)
    _warn_of_other_graphs(dataset)
    graph_seed, op_seed = get_seed(None)

    def _make_dataset() -> Any:
        """Factory function for a dataset."""  # stands in the function's definition
        if graph_seed is not None and op_seed is not None:
            get_default_graph().seed = (graph_seed + 87654321 * op_seed) % (2**63 - 1)
        return with_options_applied(dataset)._variant_tensor

    factory = Defun(capture_by_value=True, whitelisted_stateful_ops=variant_operations(dataset))(_make_dataset)
    try:
        factory.add_to_graph(get_default_graph())
    except ValueError as error:
        if "Cannot capture a stateful node" not in str(error):
            raise
        raise ValueError(
            "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not support "
            "datasets that capture stateful objects, such as a `Variable` or `LookupTable`. In these cases, use "
            f"`Dataset.make_initializable_iterator()`. (Original error: {error})"
        ) from None
    return one_shot_iterator(factory, dataset.element_spec)


def initializable(dataset: Any, shared_name: str | None) -> Iterator:
    """Returns an iterator that starts when its initializer runs. See `DatasetV1.make_initializable_iterator`."""
    if executing_eagerly():
        raise RuntimeError("dataset.make_initializable_iterator is not supported when eager execution is enabled.")
    _warn_of_other_graphs(dataset)
    return initializable_iterator(with_options_applied(dataset), shared_name)


def _warn_of_other_graphs(dataset: Any) -> None:
    graph = get_default_graph()
    for below in datasets_below(dataset):
        if below._graph is not graph:
            tf_logging.warning(
                f"The graph ({graph}) of the iterator is different from the graph ({below._graph}) the dataset: "
                f"{below._variant_tensor} was created in. If you are using the Estimator API, make sure that no part of the "
                "dataset returned by the `input_fn` function is defined outside the `input_fn` function. Please ensure that "
                "all datasets in the pipeline are created in the same graph as the iterator. NOTE: This warning will become "
                "an error in future versions of TensorFlow."
            )
