"""Programs that measure, choose, wait or name threads. Run by an interpreter with TensorFlow 1.15, it prints
`measured.json`.
"""

from raw_datasets_parallel import (
    Pull,
    all_pulls,
    count_up,
    defun,
    failing_at,
    int64,
    main,
    map_dataset,
    numbers,
    outcome,
    pulled,
    repeated,
    slices,
    spec,
    vectors,
)

__all__ = ["outcome", "programs"]


def summary_of(tf, text):
    """The values of a serialized Summary; of histograms of time only the count."""
    found = {}
    for value in tf.Summary.FromString(text).value:
        histogram = value.histo
        if not value.HasField("histo"):
            found[value.tag] = value.WhichOneof("value")
        elif value.tag.endswith("time") or "utilization" in value.tag:
            found[value.tag] = histogram.num
        else:
            found[value.tag] = [histogram.num, histogram.min, histogram.max, histogram.sum, list(histogram.bucket)]
    return found


def measure(tf, dataset, handle, tag="", of=None):
    return tf.raw_ops.SetStatsAggregatorDataset(
        input_dataset=dataset, stats_aggregator=handle, tag=tag, counter_prefix="", **(of or numbers(tf))
    )


def latency(tf, dataset):
    return tf.raw_ops.LatencyStatsDataset(input_dataset=dataset, tag="time", **numbers(tf))


def produced(tf, dataset, of=None):
    return tf.raw_ops.BytesProducedStatsDataset(input_dataset=dataset, tag="bytes", **(of or numbers(tf)))


def increment(tf):
    @defun(tf, tf.int64)
    def function(x):
        return x + 1

    return function


def statistics(tf):
    def collected(make, of=None, only_last=False):
        handle = tf.raw_ops.StatsAggregatorHandle(container="", shared_name="")
        of = of or numbers(tf)
        pull = Pull(tf, make(handle, of), of)
        summary = tf.raw_ops.StatsAggregatorSummary(iterator=handle)
        with tf.Session() as session:
            session.run(pull.start)
            found = []
            for _ in range(5):
                found += [summary_of(tf, session.run(summary)), pull.outcome(session)]
            return found[-2:] if only_last else found

    def texts(handle, of):
        rows = tf.constant(["a", "bcd" * 20])
        dataset = tf.raw_ops.TensorSliceDataset(components=[rows], output_shapes=[[]])
        return measure(tf, produced(tf, dataset, of), handle, of=of)

    def nested(handle, of):
        inner = measure(tf, latency(tf, count_up(tf, 2)), handle, "in")
        return measure(tf, produced(tf, inner), handle, "out")

    def prefetched(handle, of):
        dataset = repeated(tf, latency(tf, count_up(tf, 2)), 2, of)
        buffered = tf.raw_ops.PrefetchDataset(input_dataset=dataset, buffer_size=int64(tf, 2), **of)
        return measure(tf, buffered, handle)

    def mapped(handle, of):
        dataset = tf.raw_ops.ParallelMapDataset(
            input_dataset=latency(tf, count_up(tf, 2)),
            other_arguments=[],
            f=increment(tf),
            num_parallel_calls=tf.constant(2),
            **of,
        )
        return measure(tf, dataset, handle)

    def without():
        return all_pulls(tf, produced(tf, latency(tf, count_up(tf, 2))), numbers(tf))

    def moved():
        handle = tf.raw_ops.StatsAggregatorHandle(container="", shared_name="")
        dataset = measure(tf, count_up(tf, 2), handle)
        first, second = Pull(tf, dataset, numbers(tf), "first"), Pull(tf, dataset, numbers(tf), "second")
        move = first.move_to(second)
        with tf.Session() as session:
            session.run([first.start, second.start])
            return pulled(tf, lambda: session.run(move))

    def failing(handle, of):
        return measure(tf, produced(tf, latency(tf, failing_at(tf, count_up(tf, 3), [1]))), handle)

    strings = spec(tf, ("string", []))
    return {
        "bytes": lambda: collected(lambda handle, of: measure(tf, produced(tf, count_up(tf, 3)), handle)),
        "bytes of texts": lambda: collected(texts, strings),
        "time": lambda: collected(lambda handle, of: measure(tf, latency(tf, count_up(tf, 3)), handle, "tag")),
        "nested": lambda: collected(nested),
        "prefetched": lambda: collected(prefetched, only_last=True),
        "mapped": lambda: collected(mapped, only_last=True),
        "failing": lambda: collected(failing),
        "without": without,
        "moved": moved,
    }


def threads(tf):
    of = numbers(tf)

    def with_number(op, **number):
        def run():
            inputs = {name: int64(tf, value) for name, value in number.items()}
            dataset = getattr(tf.raw_ops, op)(input_dataset=count_up(tf, 2), **dict(inputs, **of))
            return all_pulls(tf, dataset, of)

        return run

    def in_pool(count):
        handle = tf.raw_ops.ThreadPoolHandle(num_threads=count, display_name="pool")
        return all_pulls(tf, tf.raw_ops.ThreadPoolDataset(input_dataset=count_up(tf, 2), thread_pool=handle, **of), of)

    found = {}
    for count in (-1, 0, 1, 1000):
        found[f"sleep {count}"] = with_number("SleepDataset", sleep_microseconds=count)
        found[f"intra {count}"] = with_number("MaxIntraOpParallelismDataset", max_intra_op_parallelism=count)
        found[f"private {count}"] = with_number("PrivateThreadPoolDataset", num_threads=count)
    for count in (-1, 0, 2):
        found[f"pool {count}"] = lambda count=count: in_pool(count)
    return found


def choices(tf):
    of, rows = numbers(tf), vectors(tf)

    def fastest(*inputs):
        dataset = lambda: tf.raw_ops.ChooseFastestDataset(  # noqa: E731
            input_datasets=[make() for make in inputs], num_experiments=2, **of
        )
        return lambda: all_pulls(tf, dataset(), of)

    def branch(function, dataset=None, numerator=1, denominator=1, elements=2, of=of, branches=2, lengths=None):
        def run():
            made = [function() for _ in range(branches)]
            return all_pulls(
                tf,
                tf.raw_ops.ChooseFastestBranchDataset(
                    input_dataset=dataset() if dataset else count_up(tf, 11),
                    ratio_numerator=int64(tf, numerator),
                    ratio_denominator=int64(tf, denominator),
                    other_arguments=[],
                    num_elements_per_branch=elements,
                    branches=made,
                    other_arguments_lengths=[0] * (branches if lengths is None else lengths),
                    **of,
                ),
                of,
            )

        return run

    def batches():
        @defun(tf, tf.variant)
        def function(dataset):
            return tf.raw_ops.BatchDatasetV2(
                input_dataset=dataset, batch_size=int64(tf, 2), drop_remainder=tf.constant(False), **rows
            )

        return function

    def incremented():
        @defun(tf, tf.variant)
        def function(dataset):
            return map_dataset(tf, dataset, increment(tf), of)

        return function

    four = lambda: count_up(tf, 4)  # noqa: E731
    return {
        "fastest": fastest(four, four, four),
        "fastest of other type": fastest(four, lambda: slices(tf, [1.0, 2.0], "float32")),
        "fastest of other shape": fastest(four, lambda: slices(tf, [[1, 2], [3, 4]])),
        "fastest of other count": fastest(four, lambda: count_up(tf, 5)),
        "fastest of endless": fastest(four, lambda: repeated(tf, four(), -1, of)),
        "fastest, first fails": fastest(lambda: failing_at(tf, four(), [0]), lambda: failing_at(tf, four(), [1])),
        "branch": branch(incremented),
        "branch of few": branch(incremented, four, elements=3),
        "branch of batches": branch(batches, numerator=2, of=rows),
        "branch fails": branch(incremented, lambda: failing_at(tf, count_up(tf, 8), [3])),
        "branch of one": branch(incremented, branches=1),
        "branch by 0": branch(incremented, numerator=0),
        "branch for 0": branch(incremented, denominator=0),
        "branch for 3": branch(incremented, denominator=3),
        "branch with other lengths": branch(incremented, lengths=1),
    }


def programs(tf):
    return {**statistics(tf), **threads(tf), **choices(tf)}


if __name__ == "__main__":
    main(programs)
