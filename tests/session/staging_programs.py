"""Staging areas on both sides. `python tests/session/staging_programs.py`, run by an interpreter with TensorFlow
1.15, prints the contents of `staging_of_1_15.json`.
"""

import json
import re


def programs(tf):
    """Functions by name; each takes a session and `show`, which records a value, or the result or error of a
    callable.
    """
    raw, made = tf.raw_ops, {}
    types = {"dtypes": [tf.float32, tf.int32]}

    def program(function):
        made[function.__name__] = function

    @program
    def first_in_first_out(session, show):
        area = {"shared_name": "area", "capacity": 3, **types}
        for a, b in [(1.0, 2), (3.0, [4, 4])]:
            put = raw.Stage(values=[tf.constant(a), tf.constant(b)], shared_name="area", capacity=3)
            show(lambda put=put: session.run(put))
        size, take, clear = raw.StageSize(**area), raw.Unstage(**area), raw.StageClear(**area)
        index = tf.placeholder(tf.int32)
        peek = raw.StagePeek(index=index, **area)
        show([str(tensor.shape) for tensor in [size, *take, *peek]])
        show(lambda: int(session.run(size)))
        show(lambda: [part.tolist() for part in session.run(peek, {index: 1})])
        show(lambda: [part.tolist() for part in session.run(peek, {index: 0})])
        show(lambda: [part.tolist() for part in session.run(take)])
        show(lambda: int(session.run(size)))
        show(lambda: session.run(clear))
        show(lambda: int(session.run(size)))

    @program
    def memory(session, show):
        show(lambda: session.run(raw.Stage(values=[tf.zeros([100])], memory_limit=10)))
        show(lambda: session.run(raw.Stage(values=[tf.zeros([2])], memory_limit=8)))

    @program
    def other_numbers(session, show):
        session.run(raw.Stage(values=[tf.constant(1.0)], shared_name="area"))
        show(lambda: session.run(raw.Unstage(shared_name="area", **types)))

    @program
    def names(session, show):
        """By default each node has its own area, named after the node."""
        session.run(raw.Stage(values=[tf.constant(1.0)], name="mine"))
        show(lambda: int(session.run(raw.StageSize(dtypes=[tf.float32]))))
        show(lambda: int(session.run(raw.StageSize(dtypes=[tf.float32], shared_name="mine"))))
        show(lambda: int(session.run(raw.StageSize(dtypes=[], shared_name="mine"))))
        show(lambda: int(session.run(raw.StageSize(dtypes=[], shared_name="mine", container="other"))))

    return made


def outcome(tf, program):
    """The text that a program shows."""
    shown = []

    def show(value):
        try:
            text = repr(value() if callable(value) else value)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        shown.append(re.split(r"\s*\[\[|\n|\t", text)[0] if text[0] != "[" else text)

    with tf.Graph().as_default(), tf.Session() as session:
        program(session, show)
    return shown


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, each) for name, each in programs(tensorflow).items()}
    print(json.dumps(table, indent=0, sort_keys=True))
