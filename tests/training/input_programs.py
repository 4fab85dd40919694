"""Values and errors of queue-based input pipelines, on both sides. `python tests/training/input_programs.py`, run
by an interpreter with TensorFlow 1.15, prints the contents of `inputs_of_1_15.json`.
"""

import json
import os
import re
import tempfile

import numpy as np


def _shown(value):
    if isinstance(value, dict):
        return {key: _shown(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_shown(each) for each in value]
    return repr(np.asarray(value).tolist())


def _all_of(tf, tensors):
    """The values fetched until the end of the input."""
    shown = []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            for _ in range(40):
                shown.append(_shown(session.run(tensors)))
        except tf.errors.OutOfRangeError as error:
            # The number of missing elements depends on the timing of the last ones.
            text = re.split(r"\s*\(requested|\n", str(error))[0]
            shown.append(re.sub(r"'_\d+_", "'_N_", text))
        coordinator.request_stop()
        coordinator.join(threads)
    return shown


def programs(tf):
    """Functions by name that return their values; each runs in a new graph."""
    made = {}
    path = os.path.join(tempfile.mkdtemp(), "lines.txt")
    with open(path, "w") as file:
        file.write("".join(f"{i},{i * i}\n" for i in range(10)))

    def program(function):
        made[function.__name__] = function

    def numbers(count=7, **options):
        return tf.train.range_input_producer(count, num_epochs=1, shuffle=False, **options).dequeue()

    @program
    def strings():
        return _all_of(tf, tf.train.string_input_producer(["b", "a", "c"], num_epochs=2, shuffle=False).dequeue())

    @program
    def shuffled_strings():
        return _all_of(tf, tf.train.string_input_producer(list("abcdefg"), num_epochs=2, seed=5).dequeue())

    @program
    def no_strings():
        return tf.train.string_input_producer([])

    @program
    def rows():
        return _all_of(tf, tf.train.input_producer([[1, 2], [3, 4]], num_epochs=1, shuffle=False).dequeue())

    @program
    def rows_of_unknown_shape():
        return tf.train.input_producer(tf.placeholder(tf.int32))

    @program
    def slices():
        return _all_of(tf, tf.train.slice_input_producer([[1, 2, 3], list("abc")], num_epochs=1, shuffle=False))

    @program
    def no_slices():
        return tf.train.slice_input_producer([])

    @program
    def no_epochs():
        return tf.train.limit_epochs(tf.constant(1), 0)

    @program
    def epochs():
        return _all_of(tf, tf.train.limit_epochs(tf.constant(5), 2))[:2]

    @program
    def files():
        found = tf.train.match_filenames_once(os.path.join(os.path.dirname(path), "*"))
        with tf.Session() as session:
            session.run(found.initializer)
            return [os.path.basename(name) for name in session.run(found).tolist()] == [b"lines.txt"], str(found.shape)

    @program
    def batches():
        return _all_of(tf, tf.train.batch([numbers(), tf.constant("x")], 3))

    @program
    def last_batch():
        return _all_of(tf, tf.train.batch({"n": numbers()}, 3, allow_smaller_final_batch=True))

    @program
    def padded():
        return _all_of(tf, tf.train.batch([tf.range(numbers())], 3, dynamic_pad=True))

    @program
    def kept():
        number = numbers()
        return _all_of(tf, tf.train.maybe_batch([number], tf.equal(number % 2, 0), 2))

    @program
    def many_kept():
        number = numbers()
        both = tf.stack([number, -number])
        return _all_of(tf, tf.train.maybe_batch([both], tf.stack([number > 2, number < 4]), 2, enqueue_many=True))

    @program
    def mixed():
        batch = tf.train.shuffle_batch([numbers(20)], 5, 30, 20, seed=3)
        shown = _all_of(tf, batch)
        return sorted(number for text in shown[:-1] for number in json.loads(text)), shown[-1]

    @program
    def joined():
        batch = tf.train.batch_join([[numbers()], [numbers() + 100]], 7)
        shown = _all_of(tf, batch)
        return sorted(number for text in shown[:-1] for number in json.loads(text)), shown[-1]

    @program
    def lines():
        names = tf.train.string_input_producer([path], num_epochs=1)
        _, line = tf.TextLineReader().read(names)
        return _all_of(tf, tf.train.batch(tf.decode_csv(line, [[0], [0.0]]), 4, allow_smaller_final_batch=True))

    for name, build in {
        "no_example": lambda: tf.train.batch([], 3),
        "no_sources": lambda: tf.train.batch_join([], 3),
        "no_rank": lambda: tf.train.batch([tf.placeholder(tf.int32)], 3),
        "no_size": lambda: tf.train.batch([tf.placeholder(tf.int32, [None])], 3),
        "types": lambda: tf.train.batch_join([[tf.constant(1)], [tf.constant("a")]], 3),
        "shapes": lambda: tf.train.batch_join([[tf.constant([1])], [tf.constant([1, 2])]], 3),
        "keys": lambda: tf.train.batch_join([{"a": 1}, {"b": 2}], 3),
        "capacity": lambda: tf.train.shuffle_batch([tf.constant(1)], 3, 5, 5),
        "keep_of_unknown_rank": lambda: tf.train.maybe_batch([1], tf.placeholder(tf.bool), 3),
        "keep_vector": lambda: tf.train.maybe_batch([1], [True], 3),
        "keep_matrix": lambda: tf.train.maybe_batch([1], [[True]], 3, enqueue_many=True),
        "many_scalars": lambda: tf.train.batch([tf.constant(1)], 3, enqueue_many=True),
    }.items():
        made[name] = build
    return made


def outcome(tf, program):
    """The value of a program, or its error."""
    with tf.Graph().as_default():
        try:
            return json.loads(json.dumps(program()))
        except Exception as error:
            return re.sub("0x[0-9a-f]+", "0x", f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, each) for name, each in programs(tensorflow).items()}
    print(json.dumps(table, indent=0, sort_keys=True))
