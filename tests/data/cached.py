"""Programs that cache datasets. Run by an interpreter with TensorFlow 1.15, it prints `cached.json`."""

import glob
import os
import re
import tempfile

from raw_datasets_parallel import (
    Pull,
    all_pulls,
    count_up,
    defun,
    failing_at,
    int64,
    main,
    map_dataset,
    moved_pulls,
    numbers,
    outcome,
    repeated,
    spec,
)

__all__ = ["outcome", "programs"]


def cache(tf, dataset, name="", of=None):
    return tf.raw_ops.CacheDataset(input_dataset=dataset, filename=tf.constant(name), **(of or numbers(tf)))


def take(tf, dataset, count, of=None):
    return tf.raw_ops.TakeDataset(input_dataset=dataset, count=int64(tf, count), **(of or numbers(tf)))


def counted(tf, dataset):
    """The numbers, times 100, and how often the function that makes them has been called."""
    calls = [0]

    @defun(tf, tf.int64)
    def function(x):
        def python(value):
            calls[0] += 1
            return value * 100 + calls[0]

        result = tf.py_func(python, [x], tf.int64)
        result.set_shape([])
        return result

    return map_dataset(tf, dataset, function, numbers(tf))


def files(name):
    """The files of a cache. Temporary names are cut."""
    found = sorted(os.path.basename(path) for path in glob.glob(glob.escape(name) + "*"))
    return [re.sub(r"\.tempstate\d+", ".tempstate", file) for file in found]


def in_memory(tf):
    of = numbers(tf)
    both = spec(tf, ("int64", []), ("int64", []))

    def zipped():
        dataset = cache(tf, counted(tf, count_up(tf, 3)))
        return tf.raw_ops.ZipDataset(input_datasets=[dataset, dataset], **both)

    def made_inside():
        @defun(tf, tf.int64)
        def function(x):
            return cache(tf, tf.raw_ops.RangeDataset(start=x * 0, stop=x + 2, step=int64(tf, 1), **of))

        return tf.raw_ops.FlatMapDataset(input_dataset=count_up(tf, 2), other_arguments=[], f=function, **of)

    def started_again():
        pull = Pull(tf, cache(tf, counted(tf, count_up(tf, 3))), of)
        with tf.Session() as session:
            found = []
            for _ in range(2):
                session.run(pull.start)
                found += pull.outcomes(session, 4)
            return found

    three = lambda: counted(tf, count_up(tf, 3))  # noqa: E731
    return {
        "repeated": lambda: all_pulls(tf, repeated(tf, cache(tf, three()), 3, of), of),
        "taken": lambda: all_pulls(tf, repeated(tf, take(tf, cache(tf, three()), 2), 3, of), of),
        "of taken": lambda: all_pulls(tf, repeated(tf, cache(tf, take(tf, three(), 2)), 3, of), of),
        "zipped": lambda: all_pulls(tf, zipped(), both),
        "made inside": lambda: all_pulls(tf, made_inside(), of),
        "started again": started_again,
        "failing": lambda: all_pulls(tf, repeated(tf, cache(tf, failing_at(tf, count_up(tf, 4), [1])), 2, of), of),
        **{
            f"moved at {at}": lambda at=at: moved_pulls(tf, repeated(tf, cache(tf, count_up(tf, 3)), 2, of), of, at)
            for at in range(8)
        },
    }


def in_files(tf):
    of = numbers(tf)
    found = {}

    def add(program):
        def run():
            with tempfile.TemporaryDirectory() as folder:
                outcomes = program(folder + "/cache")
                return eval(repr(outcomes).replace(folder, "FOLDER"))

        found[program.__name__.replace("_", " ")] = run

    def written_and_read(name):
        pull = Pull(tf, cache(tf, counted(tf, count_up(tf, 3)), name), of)
        with tf.Session() as session:
            session.run(pull.start)
            outcomes = [files(name)]
            for _ in range(5):
                outcomes += [pull.outcome(session), files(name)]
            session.run(pull.start)
            outcomes += pull.outcomes(session, 5)
        names = tf.train.load_checkpoint(name).get_variable_to_shape_map()
        return [*outcomes, sorted([key, list(shape)] for key, shape in names.items())]

    def of_many_components(name):
        columns = [tf.constant([3, 1, 4])] * 12
        columns[1] = tf.constant(["a", "b", "c"])
        each = {"output_types": [column.dtype for column in columns], "output_shapes": [[]] * 12}
        dataset = tf.raw_ops.TensorSliceDataset(components=columns, output_shapes=[[]] * 12)
        outcomes = all_pulls(tf, repeated(tf, cache(tf, dataset, name, each), 2, each), each)
        return [outcomes, sorted(tf.train.load_checkpoint(name).get_variable_to_shape_map())]

    def written_by_two(name):
        dataset = cache(tf, count_up(tf, 2), name)
        first, second = Pull(tf, dataset, of, "first"), Pull(tf, dataset, of, "second")
        with tf.Session() as session:
            session.run([first.start, second.start])
            outcomes = [pull.outcome(session) for pull in (first, second, second, first, first, second)]
        return [re.sub(r"Created at: \d+", "Created at: N", str(outcome)) for outcome in outcomes]

    def not_completed(name):
        pull = Pull(tf, cache(tf, count_up(tf, 3), name), of)
        with tf.Session() as session:
            session.run(pull.start)
            outcomes = [pull.outcome(session), files(name)]
            session.run(pull.start)
            outcomes += [files(name), pull.outcome(session), files(name)]
        return [*outcomes, files(name)]

    def repeated_twice(name):
        return all_pulls(tf, repeated(tf, cache(tf, counted(tf, count_up(tf, 3)), name), 2, of), of)

    def of_failing(name):
        pull = Pull(tf, cache(tf, failing_at(tf, count_up(tf, 4), [1]), name), of)
        with tf.Session() as session:
            session.run(pull.start)
            outcomes = [*pull.outcomes(session, 5), files(name)]
        return outcomes + all_pulls(tf, cache(tf, count_up(tf, 9), name), of)

    def without_folder(name):
        return all_pulls(tf, cache(tf, count_up(tf, 3), name + "/no/cache"), of, most=2)

    def empty(name):
        dataset = cache(tf, count_up(tf, 0), name)
        return [all_pulls(tf, dataset, of), all_pulls(tf, cache(tf, count_up(tf, 2), name), of)]

    def without_data(name):
        outcomes = all_pulls(tf, cache(tf, count_up(tf, 2), name), of)
        os.remove(name + ".data-00000-of-00001")
        return outcomes + all_pulls(tf, cache(tf, count_up(tf, 2), name), of)

    def damaged_index(name):
        with open(name + ".index", "w") as file:
            file.write("xxx")
        outcomes = all_pulls(tf, cache(tf, count_up(tf, 2), name), of, most=2)
        return [text.split(": " + name)[0] for text in outcomes]

    def moved(name):
        dataset = cache(tf, count_up(tf, 4), name)
        first, second = Pull(tf, dataset, of, "first"), Pull(tf, dataset, of, "second")
        move = first.move_to(second)
        with tf.Session() as session:
            session.run([first.start, second.start])
            outcomes = first.outcomes(session, 2)
            session.run(move)
            outcomes += second.outcomes(session, 4)
        return [*outcomes, files(name), sorted(tf.train.load_checkpoint(name).get_variable_to_shape_map())]

    def moved_from_end(name):
        dataset = cache(tf, count_up(tf, 2), name)
        first, second = Pull(tf, dataset, of, "first"), Pull(tf, dataset, of, "second")
        move = first.move_to(second)
        with tf.Session() as session:
            session.run([first.start, second.start])
            outcomes = first.outcomes(session, 3)
            session.run(second.start)
            outcomes += second.outcomes(session, 1)
            session.run(move)
            outcomes += second.outcomes(session, 1)
            session.run(first.start)
            outcomes += first.outcomes(session, 1)
            session.run(move)
            return outcomes + second.outcomes(session, 2)

    for program in (
        written_and_read,
        of_many_components,
        written_by_two,
        not_completed,
        repeated_twice,
        of_failing,
        without_folder,
        empty,
        without_data,
        damaged_index,
        moved,
        moved_from_end,
    ):
        add(program)
    return found


def programs(tf):
    return {**in_memory(tf), **in_files(tf)}


if __name__ == "__main__":
    main(programs)
