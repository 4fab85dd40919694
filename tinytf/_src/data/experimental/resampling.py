"""`rejection_resample`: leaves out elements at random until their classes have the wanted frequencies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.data.dataset_v1 import DatasetV1
from tinytf._src.data.experimental.interleaving import sample_from_datasets_v1
from tinytf._src.data.experimental.method_forms import unbatch
from tinytf._src.data.experimental.scans import scan
from tinytf._src.exports import tf_export
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.array_ops import expand_dims, fill, gather, one_hot, shape
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.logging.logging_ops import Print
from tinytf._src.ops.math_ops import cast, reduce_max, reduce_min, reduce_sum, truediv
from tinytf._src.ops.random.random_ops import random_uniform

_BATCH = 32  # elements between two estimates of the frequencies
_SMOOTHING = 10  # elements of each class that an estimate begins with


@tf_export("data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Callable[[Any], Any]:
    """Leaves out elements at random so that their classes have the given frequencies.

    Args:
      class_func: takes an element as in `tf.data.Dataset.map`; returns its class, a scalar int32 tensor.
      target_dist: vector of float32 or float64, the wanted frequency of each class.
      initial_dist: the same of the dataset; None means that they are estimated from the elements.
      seed: int, the seed of the choices; None means the graph-level seed, if there is one.

    Returns:
      Function for `tf.data.Dataset.apply`. Elements of the result are pairs (class, element).
    """

    def transformation(dataset: Any) -> Any:
        target = convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        if initial_dist is None:
            initial_share, accepted, taken = _estimated(target, classes)
            return _resampled(dataset, classes, initial_share, accepted, taken, None, seed)
        initial = convert_to_tensor(initial_dist, name="initial_dist")
        acceptance, kept = _acceptance(initial, target)
        shares, accepted, taken = [DatasetV1.from_tensors(value).repeat() for value in (initial, acceptance, kept)]
        return _resampled(dataset, classes, shares, accepted, taken, _static_share(initial, target), seed)

    return transformation


def _resampled(
    dataset: Any, classes: Any, initial: Any, acceptance: Any, kept: Any, static_share: Any, seed: Any
) -> Any:
    """Returns the dataset of pairs. The datasets `initial`, `acceptance` and `kept` yield the frequencies, the
    probabilities with which elements of a class pass the filter, and the share of elements that are taken without it,
    which is also `static_share` if it is known."""
    filtered = _filtered(dataset, acceptance, initial, classes, seed).prefetch(3)
    if static_share == 0:
        return filtered
    unfiltered = DatasetV1.zip((classes, dataset))
    if static_share == 1:
        return unfiltered
    weights = kept.map(lambda prob: [(prob, 1.0 - prob)])
    return sample_from_datasets_v1([unfiltered, filtered], weights=weights, seed=seed)


def _estimated(target: Any, classes: Any) -> tuple[Any, Any, Any]:
    """Returns datasets of the frequencies so far, of the probabilities of acceptance, and of the shares that are kept."""
    initial = _frequencies(target, classes)
    both = initial.map(lambda frequencies: _acceptance(frequencies, target))
    return initial, both.map(lambda accept_prob, _: accept_prob), both.map(lambda _, prob_original: prob_original)


def _acceptance(initial: Any, target: Any) -> tuple[Any, Any]:
    """Returns the probability of acceptance of each class, and the share of elements that need not pass the filter."""
    ratio = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    most = reduce_max(ratio)
    least = reduce_min(ratio)
    return (ratio - least) / (most - least), least


def _static_share(initial: Any, target: Any) -> Any:
    frequencies, wanted = constant_value(initial), constant_value(target)
    return None if frequencies is None or wanted is None else np.min(wanted / frequencies)


def _frequencies(target: Any, classes: Any) -> Any:
    """Returns the dataset of the frequencies of the classes of all elements before, estimated anew for each batch."""
    seen = fill([_length(target)], np.int64(_SMOOTHING))

    def update_estimate_and_tile(seen: Any, batch: Any) -> Any:  # graphs show the name
        seen = gen_ops.add(seen, reduce_sum(one_hot(batch, _length(seen), dtype=dtypes.int64), 0))
        frequencies = cast(truediv(seen, reduce_sum(seen)), dtypes.float32)
        return seen, gen_ops.tile(expand_dims(frequencies, 0), [_BATCH, 1])

    return classes.batch(_BATCH).apply(scan(seen, update_estimate_and_tile)).apply(unbatch())


def _length(vector: Any) -> Any:
    size = None if vector.shape.dims is None else vector.shape.dims[0].value
    return shape(vector)[0] if size is None else size


def _filtered(dataset: Any, acceptance: Any, initial: Any, classes: Any, seed: Any) -> Any:
    # Graphs show the names of the two functions.
    def maybe_warn_on_large_rejection(accept: Any, frequencies: Any) -> Any:
        rejected = reduce_sum((1 - accept) * frequencies)
        message = "Proportion of examples rejected by sampler is high: "
        values = [rejected, frequencies, accept]
        return cond(
            gen_ops.less(rejected, 0.5),
            lambda: accept,
            lambda: Print(accept, values, message=message, summarize=100, first_n=10),
        )

    def _gather_and_copy(cls: Any, accept: Any, data: Any) -> Any:
        return cls, gather(accept, cls), data

    acceptance = DatasetV1.zip((acceptance, initial)).map(maybe_warn_on_large_rejection)
    triples = DatasetV1.zip((classes, acceptance, dataset)).map(_gather_and_copy)
    accepted = triples.filter(lambda _1, p, _2: random_uniform([], seed=seed) < p)
    return accepted.map(lambda class_value, _, data: (class_value, data))
