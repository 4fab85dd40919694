"""Numbers that the program leaves open are chosen while a pipeline runs, within its budgets."""

import pytest

import tinytf as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE

_STAGES = {
    "ParallelMapDataset": lambda d: d.map(lambda x: x + 1, num_parallel_calls=AUTOTUNE),
    "MapAndBatchDataset": lambda d: d.apply(
        tf.data.experimental.map_and_batch(lambda x: x + 1, 2, num_parallel_calls=AUTOTUNE)
    ),
    "ParallelInterleaveDatasetV2": lambda d: d.interleave(
        lambda x: tf.data.Dataset.range(x, x + 3), cycle_length=4, num_parallel_calls=AUTOTUNE
    ),
    "PrefetchDataset": lambda d: d.prefetch(AUTOTUNE),
}


def _elements(dataset, reports=()):
    """The elements; appends the last report on the pipeline to the list `reports`."""
    iterator = tf.data.make_one_shot_iterator(dataset)
    element, found = iterator.get_next(), []
    with tf.Session() as session:
        if isinstance(reports, list):
            tf.experimental.data_report(iterator)
        try:
            while True:
                found.append(session.run(element).tolist())
        except tf.errors.OutOfRangeError:
            pass
        if isinstance(reports, list):
            reports.append(tf.experimental.data_report(iterator))
    return found


def _options(**chosen):
    options = tf.data.Options()
    for name, value in chosen.items():
        setattr(options.experimental_optimization, name, value)
    return options


@pytest.mark.parametrize("kind", _STAGES)
def test_elements_do_not_depend_on_tuning(kind):
    dataset = _STAGES[kind](tf.data.Dataset.range(1000))
    assert _elements(dataset) == _elements(dataset.with_options(_options(autotune=False)))


@pytest.mark.parametrize("kind", _STAGES)
def test_what_was_chosen_is_reported(kind):
    reports = []
    _elements(_STAGES[kind](tf.data.Dataset.range(500)), reports)
    (stage,) = (stage for stage in reports[0].stages if stage.kind == kind)
    if kind == "PrefetchDataset":
        assert 1 <= stage.most_held <= 512
    else:
        assert stage.parallelism >= 1


@pytest.mark.parametrize("kind", ["ParallelMapDataset", "MapAndBatchDataset", "ParallelInterleaveDatasetV2"])
def test_parallelism_stays_within_the_processors_of_the_program(kind):
    reports = []
    dataset = _STAGES[kind](tf.data.Dataset.range(100)).with_options(_options(autotune_cpu_budget=1))
    _elements(dataset, reports)
    (stage,) = (stage for stage in reports[0].stages if stage.kind == kind)
    assert stage.parallelism == 1


def test_buffers_stay_within_the_memory_of_the_program():
    reports = []
    large = tf.data.Dataset.range(300).map(lambda x: tf.fill([100], x)).prefetch(AUTOTUNE)
    _elements(large.with_options(_options(autotune_memory_budget=1)), reports)
    assert reports[0].stages[0].kind == "PrefetchDataset"
    assert reports[0].stages[0].most_held == 1


def test_the_memory_is_an_attribute_of_the_node_only_if_it_is_set():
    def attrs(options):
        with tf.Graph().as_default() as graph:
            tf.data.make_initializable_iterator(tf.data.Dataset.range(3).with_options(options))
            (model,) = (node for node in graph.as_graph_def().node if node.op == "ModelDataset")
        return set(model.attr)

    assert attrs(_options(autotune_memory_budget=9)) - attrs(_options()) == {"_memory_budget"}


def test_budgets_of_eager_pipelines():
    with tf.EagerSession():
        dataset = tf.data.Dataset.range(300).prefetch(AUTOTUNE).with_options(_options(autotune_memory_budget=1))
        iterator = iter(dataset)
        tf.experimental.data_report(iterator)
        assert [int(x) for x in iterator] == list(range(300))
        assert tf.experimental.data_report(iterator).stages[0].most_held == 1


def test_a_budget_is_a_number():
    with pytest.raises(TypeError, match="autotune_memory_budget"):
        _options(autotune_memory_budget="1 GB")
