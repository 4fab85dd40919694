"""Pipelines of raw dataset ops for the tests of parallel, caching and measuring stages. Runs under TensorFlow 1.15 too."""

import importlib


def defun(tf, *types):
    """The decorator that makes a graph function."""
    name = "tinytf" if tf.__name__ == "tinytf" else "tensorflow"
    return importlib.import_module(name + ".python.framework.function").Defun(*types)


def int64(tf, value):
    return tf.constant(value, tf.int64)


def spec(tf, *components):
    """The attrs of a dataset from pairs (dtype, shape)."""
    return {"output_types": [tf.as_dtype(t) for t, _ in components], "output_shapes": [s for _, s in components]}


def numbers(tf):
    """The attrs of a dataset of numbers."""
    return spec(tf, ("int64", []))


def vectors(tf):
    """The attrs of a dataset of vectors."""
    return spec(tf, ("int64", [None]))


def count_up(tf, stop, start=0):
    """The numbers from start to stop."""
    return tf.raw_ops.RangeDataset(start=int64(tf, start), stop=int64(tf, stop), step=int64(tf, 1), **numbers(tf))


def slices(tf, values, dtype="int64"):
    """The rows of an array."""
    rows = tf.constant(values, dtype)
    return tf.raw_ops.TensorSliceDataset(components=[rows], output_shapes=[rows.shape[1:]])


def map_dataset(tf, dataset, function, of):
    return tf.raw_ops.MapDataset(input_dataset=dataset, other_arguments=[], f=function, **of)


def repeated(tf, dataset, count, of):
    return tf.raw_ops.RepeatDataset(input_dataset=dataset, count=int64(tf, count), **of)


def failing_at(tf, dataset, bad, text="chosen to fail"):
    """The numbers of the dataset; those in `bad` are errors."""

    @defun(tf, tf.int64)
    def check(x):
        good = tf.reduce_all(tf.not_equal(x, tf.constant(bad, tf.int64)))
        with tf.control_dependencies([tf.Assert(good, [text])]):
            return tf.identity(x)

    return map_dataset(tf, dataset, check, numbers(tf))


def stops_at(tf, bad):
    """A function of a number that multiplies by ten; for the numbers in `bad` its error is OutOfRange."""

    @defun(tf, tf.int64)
    def scale(x):
        def python(value):
            if value in bad:
                raise StopIteration("stops")
            return value * 10

        result = tf.py_func(python, [x], tf.int64)
        result.set_shape([])
        return result

    return scale


class Pull:
    """An iterator of a dataset, and its next element."""

    def __init__(self, tf, dataset, of, name=""):
        self.tf = tf
        self.handle = tf.raw_ops.IteratorV2(shared_name=name, container="", **of)
        self.start = tf.raw_ops.MakeIterator(dataset=dataset, iterator=self.handle)
        self.next = tf.raw_ops.IteratorGetNext(iterator=self.handle, **of)

    def move_to(self, other):
        """The op that gives another iterator the position of this one."""
        position = self.tf.raw_ops.SerializeIterator(resource_handle=self.handle)
        return self.tf.raw_ops.DeserializeIterator(resource_handle=other.handle, serialized=position)

    def outcome(self, session):
        """The next element as JSON holds it, or its error."""
        return pulled(self.tf, lambda: session.run(self.next))

    def outcomes(self, session, count):
        return [self.outcome(session) for _ in range(count)]


def plain(value):
    """An array as lists; texts as str."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bytes):
        return value.decode()
    return [plain(v) for v in value] if isinstance(value, list) else value


def pulled(tf, run):
    """What run() returns, as JSON holds it; of a list with one component, this. Or the class of its error and its text
    up to the node, with single spaces.
    """
    try:
        values = run()
    except tf.errors.OpError as error:
        text = " ".join(str(error.message).split("\n")[0].split("[[")[0].split())
        return type(error).__name__ + ": " + text
    values = [plain(v) for v in values] if isinstance(values, (list, tuple)) else plain(values)
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def all_pulls(tf, dataset, of, most=60, after_end=1):
    """The outcomes of pulls until `after_end` pulls after the first end, at most `most`; or the error of the start."""
    pull = Pull(tf, dataset, of)
    with tf.Session() as session:
        started = pulled(tf, lambda: session.run(pull.start))
        if started is not None:
            return started
        found = []
        while len(found) < most and after_end >= 0:
            found.append(pull.outcome(session))
            if found[-1] == "OutOfRangeError: End of sequence":
                after_end -= 1
        return found


def moved_pulls(tf, dataset, of, at, most=60):
    """The outcomes of `at` pulls, and of pulls of another iterator that got the position of the first one."""
    first, second = Pull(tf, dataset, of, "first"), Pull(tf, dataset, of, "second")
    move = first.move_to(second)
    with tf.Session() as session:
        session.run([first.start, second.start])
        found = first.outcomes(session, at)
        session.run(move)
        while len(found) < most and (len(found) <= at or found[-1] != "OutOfRangeError: End of sequence"):
            found.append(second.outcome(session))
        return found


def outcome(tf, program):
    """The outcome of a program in a graph of its own."""
    with tf.Graph().as_default():
        return program()


def main(programs):
    """Prints the outcomes of a module's programs in TensorFlow."""
    import json
    import sys

    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    found = {name: outcome(tf, program) for name, program in programs(tf).items()}
    json.dump(found, sys.stdout, indent=0, sort_keys=True)
    sys.stdout.write("\n")
