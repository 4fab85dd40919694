"""Rows of datasets in random order. The seeds decide about it; the orders are TensorFlow 1.15.5's."""

import numpy as np
from data_nodes import INFINITE, MOST, UNKNOWN, number_range
from data_table import DatasetRow, Node

_SEEDS = tuple(np.int64([4, 5]))
_GENERATOR = Node("AnonymousRandomSeedGenerator", _SEEDS)


def _shuffled(op, inputs, elements, cardinality, count=6, attrs=None, buffer=3, **more):
    made = Node(op, (number_range(count), np.int64(buffer), *inputs), attrs or {})
    return DatasetRow(made, elements, cardinality, **more)


_ONCE = {"reshuffle_each_iteration": False}
_RESHUFFLED = _shuffled("ShuffleDataset", _SEEDS, (), 4, 4).made

ROWS = [
    _shuffled("ShuffleDataset", _SEEDS, (2, 1, 4, 0, 5, 3), 6, attrs=_ONCE),
    _shuffled("ShuffleDataset", _SEEDS, (1, 3, 2, 0, 5, 4), 6),
    _shuffled("ShuffleDataset", _SEEDS, (0, 1, 2), 3, 3, buffer=1),
    _shuffled("ShuffleDataset", _SEEDS, (), 0, 0, buffer=MOST, needs_memory=False),
    DatasetRow(Node("RepeatDataset", (_RESHUFFLED, np.int64(2))), (1, 3, 0, 2, 1, 2, 3, 0), 8, about="ShuffleDataset"),
    _shuffled("ShuffleDatasetV2", [_GENERATOR], (1, 3, 2, 0, 5, 4), 6),
    _shuffled("ShuffleAndRepeatDataset", [*_SEEDS, np.int64(2)], (2, 1, 3, 0, 0, 3, 1, 2), 8, 4),
    _shuffled("ShuffleAndRepeatDataset", [*_SEEDS, np.int64(-1)], (2, 1, 3, 0), INFINITE, 4, ends=False),
    DatasetRow(Node("SamplingDataset", (number_range(8), np.float32(0.5), *_SEEDS)), (1, 2, 5, 6, 7), UNKNOWN),
    DatasetRow(Node("SamplingDataset", (number_range(2), np.float32(1), *_SEEDS)), (0, 1), UNKNOWN),
    DatasetRow(Node("SamplingDataset", (number_range(2), np.float32(0), *_SEEDS)), (), UNKNOWN),
    DatasetRow(
        Node("RandomDataset", _SEEDS),
        (408065954, 1822492827, 3246778955, 48150841, 561765153, 1384991609),
        INFINITE,
        ends=False,
        other_names=("ExperimentalRandomDataset",),
    ),
]
