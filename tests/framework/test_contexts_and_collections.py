"""Finalizers may enter and leave graphs and sessions during a garbage collection without losing a context variable."""

from programs import run_program

_FINALIZED = """
import contextvars, gc
import tinytf as tf

graph, session = tf.Graph(), tf.Session(graph=tf.Graph())
others = [contextvars.ContextVar(f"other{i}") for i in range(6)]
for other in others:
    other.set(0)

class Last:
    # Enters and leaves, when the collector comes.

    def __init__(self):
        self.cycle = self

    def __del__(self):
        with graph.as_default(), session.as_default(), tf.device("/cpu:0"), tf.name_scope("scope"):
            assert tf.get_default_graph() is graph

def check():
    context = contextvars.copy_context()
    assert len([context[variable] for variable in context]) == len(context)  # KeyError for those that are lost
    assert [context[other] for other in others] == [0] * len(others)

"""


def test_entering_and_leaving_lose_nothing():
    run = run_program(
        _FINALIZED
        + """
inner, used = tf.Graph(), tf.Session(graph=tf.Graph())
for every in (3, 5, 7, 11, 30):
    gc.set_threshold(every, 5, 5)
    for i in range(400):
        with inner.as_default(), used.as_default():
            Last()
            with tf.Graph().as_default() as innermost:
                assert tf.get_default_graph() is innermost
            check()
gc.collect()
assert tf.get_default_session() is None and tf.get_default_graph() not in (graph, inner)
"""
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_variables_of_others_are_found():
    """Setting other context variables is safe; before CPython 3.12 it could read freed values that a finalizer had
    replaced.
    """
    run = run_program(
        _FINALIZED
        + """
gc.set_threshold(30, 5, 5)
for i in range(20000):
    Last()
    others[i % len(others)].set(i)
    others[i % len(others)].set(0)
    if i % 10 == 0:
        check()
"""
    )
    assert (run.returncode, run.stderr) == (0, "")
