"""Programs that interleave datasets. Run by an interpreter with TensorFlow 1.15, it prints `interleaved.json`."""

from raw_datasets_parallel import all_pulls, count_up, defun, failing_at, int64, main, numbers, outcome

__all__ = ["outcome", "programs"]

LENGTHS = [[3, 3, 0, 2, 5, 1, 0, 4], [0, 0, 0, 2, 1, 7, 7, 2], [1, 5, 5, 1], [0, 0], []]
CYCLES = [(1, 1), (2, 1), (3, 2), (4, 3), (9, 5), (2, 100)]


def interleave(tf, op, dataset, function, cycle, block, **options):
    options = {k: v if isinstance(v, bool) else int64(tf, v) for k, v in options.items()}
    return getattr(tf.raw_ops, op)(
        input_dataset=dataset,
        other_arguments=[],
        f=function,
        cycle_length=int64(tf, cycle),
        block_length=int64(tf, block),
        **dict(options, **numbers(tf)),
    )


def tens(tf, lengths=None):
    """A function that makes of i a dataset of the numbers from ten times i."""

    @defun(tf, tf.int64)
    def make(i):
        count = tf.gather(tf.constant(lengths, tf.int64), i) if lengths else int64(tf, 4)
        return tf.raw_ops.RangeDataset(start=i * 10, stop=i * 10 + count, step=int64(tf, 1), **numbers(tf))

    return make


def failing_inner(tf):
    @defun(tf, tf.int64)
    def make(i):
        inner = tf.raw_ops.RangeDataset(start=i * 10, stop=i * 10 + 4, step=int64(tf, 1), **numbers(tf))
        return failing_at(tf, inner, [11, 32, 33])

    return make


def failing_function(tf):
    @defun(tf, tf.int64)
    def make(i):
        with tf.control_dependencies([tf.Assert(tf.not_equal(i, 2), ["makes none"])]):
            return tf.raw_ops.RangeDataset(start=i * 10, stop=i * 10 + 4, step=int64(tf, 1), **numbers(tf))

    return make


def stopping_function(tf):
    @defun(tf, tf.int64)
    def make(i):
        def python(value):
            if value == 2:
                raise StopIteration("stops")
            return value

        start = tf.py_func(python, [i], tf.int64)
        start.set_shape([])
        return tf.raw_ops.RangeDataset(start=start * 10, stop=start * 10 + 3, step=int64(tf, 1), **numbers(tf))

    return make


def no_dataset(tf):
    @defun(tf, tf.int64)
    def make(i):
        return tf.identity(i)

    return make


def ways(cycle):
    """The ops and their options."""
    return {
        "InterleaveDataset": {},
        "ParallelInterleaveDatasetV2": {"num_parallel_calls": min(2, cycle)},
        "ParallelInterleaveDataset": {"sloppy": False, "buffer_output_elements": 3, "prefetch_input_elements": 2},
    }


def programs(tf):
    found = {}

    def add(name, dataset, most=60):
        found[name] = lambda: all_pulls(tf, dataset(), numbers(tf), most=most)

    for op in ways(1):
        for lengths in LENGTHS:
            for cycle, block in CYCLES:
                # TensorFlow's order of longer blocks depends on time, and an empty input ends its process.
                if op == "ParallelInterleaveDataset" and (not lengths or (1 < block < 100 and cycle > 2)):
                    continue
                add(
                    f"{op} {lengths} cycle {cycle} block {block}",
                    lambda op=op, n=lengths, cycle=cycle, block=block: interleave(
                        tf, op, count_up(tf, len(n)), tens(tf, n), cycle, block, **ways(cycle)[op]
                    ),
                )
        more = ways(2)[op]
        functions = {
            "inner": failing_inner,
            "none": no_dataset,
            "stop": stopping_function,
            "function": failing_function,
        }
        for case, function in functions.items():
            # In TensorFlow this op repeats such a call with the same arguments, and loses the next elements.
            if op == "InterleaveDataset" and case in ("stop", "function"):
                continue
            add(
                f"{op} {case} fails",
                lambda op=op, f=function, more=more: interleave(tf, op, count_up(tf, 6), f(tf), 2, 2, **more),
            )
        add(
            f"{op} input fails",
            lambda op=op, more=more: interleave(
                tf, op, failing_at(tf, count_up(tf, 5), [0, 2]), tens(tf), 2, 3, **more
            ),
        )
        for cycle, block in ((0, 1), (-1, 1), (1, 0), (1, -1)):
            add(
                f"{op} of cycle {cycle} block {block}",
                lambda op=op, cycle=cycle, block=block: interleave(
                    tf, op, count_up(tf, 2), tens(tf), cycle, block, **ways(1)[op]
                ),
            )
    for calls in (0, -1, -2, 1, 2, 3):
        add(
            f"ParallelInterleaveDatasetV2 with {calls} calls",
            lambda calls=calls: interleave(
                tf, "ParallelInterleaveDatasetV2", count_up(tf, 3), tens(tf), 2, 1, num_parallel_calls=calls
            ),
        )
    for ready, ahead in ((0, 1), (-1, 1), (1, -1), (1, -2), (1, 0), (100, 100)):
        add(
            f"ParallelInterleaveDataset with {ready} and {ahead}",
            lambda ready=ready, ahead=ahead: interleave(
                tf,
                "ParallelInterleaveDataset",
                count_up(tf, 3),
                tens(tf),
                2,
                1,
                sloppy=False,
                buffer_output_elements=ready,
                prefetch_input_elements=ahead,
            ),
        )
    return found


if __name__ == "__main__":
    main(programs)
