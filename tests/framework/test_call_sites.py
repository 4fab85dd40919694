"""Creation sites of operations in nested branches and loops, which share the frames outside of them."""

import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest

import tinytf as tf
from tinytf._src.framework.sites.call_site import frames_in


def _made_here():
    """An operation, and Python's stack frames of its caller and outer frames."""
    op, stack = tf.no_op(), traceback.extract_stack()
    return op, [(frame.filename, frame.lineno, frame.name) for frame in stack[:-1]]


def _assert_told(made):
    for op, stack in made:
        assert [frame[:3] for frame in op.traceback[: len(stack)]] == stack
        assert op.traceback[len(stack)][2] == "_made_here"
        assert [frame[:4] for frame in op.traceback_with_start_lines] == list(op.traceback)


def _branches(depth, made):
    made.append(_made_here())
    if depth == 0:
        return tf.constant(1)
    result = tf.cond(tf.constant(True), lambda: _branches(depth - 1, made), lambda: _branches(0, made))
    made.append(_made_here())
    return result


def _loops(depth, made):
    made.append(_made_here())
    if depth == 0:
        return tf.constant(1)

    def body(i):
        made.append(_made_here())
        return i + _loops(depth - 1, made)

    return tf.while_loop(lambda i: i < 2, body, [0])


def _function_branches(depth, made):
    return _as_functions(_branches, depth, made)


def _function_loops(depth, made):
    return _as_functions(_loops, depth, made)


def _as_functions(nested, depth, made):
    """Builds the nested branches and loops inside a tf.function."""
    return tf.function(lambda: nested(depth, made), autograph=False)()


_NESTED = [_branches, _loops, _function_branches, _function_loops]


@pytest.mark.parametrize("nested", _NESTED)
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_all_frames_are_told(nested, depth):
    made = []
    with tf.Graph().as_default():
        nested(depth, made)
        made.append(_made_here())
    assert len(made) > 2 * depth
    _assert_told(made)


@pytest.mark.parametrize("nested", _NESTED)
def test_sites_are_as_long_at_any_depth(nested):
    def lengths(depth):
        made = []
        with tf.Graph().as_default():
            nested(depth, made)
        return {len(op._site) for op, _ in made}

    assert lengths(30) == lengths(3)


def test_what_brings_a_value_into_many_branches_is_made_in_a_row():
    def lengths(depth):
        def nested(depth):
            return tf.cond(pred, lambda: nested(depth - 1), lambda: x) if depth else x + 1.0

        with tf.Graph().as_default() as graph:
            x, pred = tf.constant(1.0), tf.constant(True)
            nested(depth)
            return {len(op._site) for op in graph.get_operations() if op.type == "Switch"}

    lengths(1)  # lazy loading adds frames on first use
    assert max(lengths(30)) == max(lengths(3))


def test_after_an_error_in_a_branch():
    made = []

    def fails():
        made.append(_made_here())
        raise KeyError("no")

    with tf.Graph().as_default():
        for _ in range(3):
            with pytest.raises(KeyError):
                tf.cond(tf.constant(True), lambda: tf.cond(tf.constant(True), fails, fails), fails)
            made.append(_made_here())
        _branches(2, made)
    _assert_told(made)


def test_generators_are_resumed_inside_and_outside():
    def makes():
        while True:
            yield _made_here()

    made, maker = [], makes()

    def branch():
        made.append(next(maker))
        return tf.constant(1)

    with tf.Graph().as_default():
        for _ in range(2):
            tf.cond(tf.constant(True), branch, branch)
            made.append(next(maker))
    _assert_told(made)


def test_threads_have_stacks_of_their_own():
    made = []

    def branch():
        graph = tf.get_default_graph()

        def elsewhere():
            with graph.as_default():
                return _made_here()

        with ThreadPoolExecutor(1) as threads:
            made.append(threads.submit(elsewhere).result())
        made.append(_made_here())
        return tf.constant(1)

    with tf.Graph().as_default():
        tf.cond(tf.constant(True), branch, branch)
    _assert_told(made)


def test_growth_and_lines_know_frames_that_are_shared():
    made = []
    with tf.Graph().as_default():
        _branches(3, made)
    for op, stack in made:
        frames = [*frames_in(op._site)]
        assert [code.co_name for code, _ in reversed(frames)] == [frame[2] for frame in op.traceback]
        assert len(frames) > len(stack)
