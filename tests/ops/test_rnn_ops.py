"""Fused recurrent networks: inferred shapes, messages for mismatched shapes as in TensorFlow 1.15, sequence
lengths, threads, and cancellation.
"""

import itertools

import numpy as np
import pytest

import tinytf as tf

BATCH, INPUTS, UNITS, STEPS = 3, 5, 4, 7
_SEEN = {name: [UNITS] for name in ("wci", "wcf", "wco")}
_STATES = {"cs_prev": [BATCH, UNITS], "h_prev": [BATCH, UNITS]}
_LSTM = {**_STATES, "w": [INPUTS + UNITS, 4 * UNITS], **_SEEN, "b": [4 * UNITS]}
CELL = {"x": [BATCH, INPUTS], **_LSTM}
CELL_GRAD = {**CELL, **{name: [BATCH, UNITS] for name in ("i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad")}}
NET = {"x": [STEPS, BATCH, INPUTS], **_LSTM}
NET_GRAD = {
    **NET,
    **{name: [STEPS, BATCH, UNITS] for name in ("i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad")},
}
GRU = {
    "x": [BATCH, INPUTS],
    "h_prev": [BATCH, UNITS],
    "w_ru": [INPUTS + UNITS, 2 * UNITS],
    "w_c": [INPUTS + UNITS, UNITS],
    "b_ru": [2 * UNITS],
    "b_c": [UNITS],
}
GRU_GRAD = {**GRU, **{name: [BATCH, UNITS] for name in ("r", "u", "c", "d_h")}}
OPS = {
    "LSTMBlockCell": (CELL, {}),
    "LSTMBlockCellGrad": (CELL_GRAD, {"use_peephole": True}),
    "BlockLSTM": (NET, {}),
    "BlockLSTMV2": (NET, {}),
    "BlockLSTMGrad": (NET_GRAD, {"use_peephole": True}),
    "BlockLSTMGradV2": (NET_GRAD, {"use_peephole": True}),
    "GRUBlockCell": (GRU, {}),
    "GRUBlockCellGrad": (GRU_GRAD, {}),
}


def _apply(op, inputs, steps=STEPS):
    length = {"seq_len_max": tf.constant(steps, tf.int64)} if op.startswith("Block") else {}
    return getattr(tf.raw_ops, op)(**length, **inputs, **OPS[op][1])


def _shapes(op, **others):
    given = {**OPS[op][0], **others}
    with tf.Graph().as_default():
        outputs = _apply(op, {name: tf.placeholder(tf.float32, shape) for name, shape in given.items()})
        return [output.shape.as_list() for output in outputs]


def _run(op, steps=STEPS, **others):
    """Runs the op with inputs of unknown static shapes."""
    given = {**OPS[op][0], **others}
    with tf.Graph().as_default(), tf.Session() as sess:
        inputs = {name: tf.placeholder(tf.float32) for name in given}
        outputs = _apply(op, inputs, steps)
        return sess.run(list(outputs), {inputs[name]: np.ones(shape) for name, shape in given.items()})


@pytest.mark.parametrize("op", OPS)
def test_shapes_that_are_inferred_come(op):
    assert [list(value.shape) for value in _run(op)] == _shapes(op)


def test_shapes_are_inferred_from_what_is_known():
    assert _shapes("LSTMBlockCell", x=None) == 7 * [[None, 4]]
    assert _shapes("LSTMBlockCell", cs_prev=[9, 8], b=[7]) == 7 * [[3, 8]]
    assert _shapes("LSTMBlockCellGrad", cs_prev=[9, None]) == [[3, None], [3, None], *3 * [[None]]]
    assert _shapes("BlockLSTM", x=[None, 2, 9], b=[8]) == 7 * [[None, 2, 2]]
    assert _shapes("BlockLSTMV2", x=None, b=[None]) == 7 * [[None, None, None]]
    assert _shapes("BlockLSTMGrad", x=[1, None, 2], w=[3, 4], wcf=[None])[:6] == [
        *([1, None, 2], [3, 4], [3, 4], [3, 4], [4], [None]),
    ]
    assert _shapes("GRUBlockCell", h_prev=[7, None]) == 4 * [[3, None]]
    assert _shapes("GRUBlockCellGrad", w_ru=[7, 9]) == [[3, 5], [3, 4], [3, 4], [3, 9]]


@pytest.mark.parametrize(
    ("op", "name", "shape", "text"),
    [
        ("LSTMBlockCell", "x", [3, 5, 2], "Shape must be rank 2 but is rank 3 for 'LSTMBlockCell'"),
        ("LSTMBlockCell", "cs_prev", [3], "Shape must be rank 2 but is rank 1 for 'LSTMBlockCell'"),
        ("BlockLSTM", "x", [3, 5], "Shape must be rank 3 but is rank 2 for 'BlockLSTM'"),
        ("BlockLSTM", "b", [3, 5], "Shape must be rank 1 but is rank 2 for 'BlockLSTM'"),
        ("BlockLSTMV2", "b", [97], "Dimension size must be evenly divisible by 4 but is 97 for 'BlockLSTMV2'"),
        ("BlockLSTMGrad", "wco", [4, 2], "Shape must be rank 1 but is rank 2 for 'BlockLSTMGrad'"),
        ("GRUBlockCellGrad", "w_ru", [4], "Shape must be rank 2 but is rank 1 for 'GRUBlockCellGrad'"),
    ],
)
def test_shapes_that_cannot_be_are_refused_in_graphs(op, name, shape, text):
    with pytest.raises(ValueError) as caught:
        _shapes(op, **{name: shape})
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("op", "name", "shape", "text"),
    [
        ("LSTMBlockCell", "x", [4, 5], "cs_prev.dims(0) != batch_size: 3 vs. 4"),
        ("LSTMBlockCell", "x", [3, 6], "w.dim_size(0) != input_size + cell_size: 9 vs. 10"),
        ("LSTMBlockCell", "cs_prev", [3, 5], "h_prev.dims(1) != cell_size: 4 vs. 5"),
        ("LSTMBlockCell", "h_prev", [4, 4], "h_prev.dims(0) != batch_size: 4 vs. 3"),
        ("LSTMBlockCell", "w", [9, 17], "w.dim_size(1) != cell_size * 4: 17 vs. 16"),
        ("LSTMBlockCell", "b", [17], "b.dim_size(0) != cell_size * 4: 17 vs. 16"),
        ("LSTMBlockCellGrad", "cs_grad", [4, 4], "cs_grad_tensor.dims(0) != batch_size: 4 vs. 3"),
        ("LSTMBlockCellGrad", "h_grad", [3, 5], "h_grad_tensor.dims(1) != cell_size: 5 vs. 4"),
        ("LSTMBlockCellGrad", "co", [3, 5], "co.dims(1) != cell_size: 5 vs. 4"),
        ("BlockLSTM", "x", [7, 3, 5, 1], "x must be 3D"),
        ("BlockLSTM", "cs_prev", [3], "cs_prev must be 2D"),
        ("BlockLSTM", "h_prev", [3, 4, 1], "h_prev must be 2D"),
        ("BlockLSTM", "w", [9], "w must be 2D"),
        ("BlockLSTM", "wci", [], "wci must be 1D"),
        ("BlockLSTM", "wcf", [5], "wcf.dim_size(0) != cell_size: 5 vs. 4"),
        ("BlockLSTM", "b", [16, 1], "b must be 1D"),
        ("BlockLSTMV2", "w", [10, 16], "w.dim_size(0) != input_size + cell_size: 10 vs. 9"),
        ("GRUBlockCell", "h_prev", [4, 4], "h_prev.dims(0) != batch_size: 4 vs. 3"),
        ("GRUBlockCell", "w_ru", [9, 9], "w_ru.dim_size(1) != cell_size * 2: 9 vs. 8"),
        ("GRUBlockCell", "w_c", [10, 4], "w_c.dim_size(0) != input_size + cell_size: 10 vs. 9"),
        ("GRUBlockCell", "b_ru", [8, 1], "Rank of b_ru must be 1"),
        ("GRUBlockCell", "b_c", [5], "b_c.dim_size(0) != cell_size: 5 vs. 4"),
        ("GRUBlockCellGrad", "u", [3, 5], "u.dims(1) != cell_size: 5 vs. 4"),
        ("GRUBlockCellGrad", "d_h", [4, 4], "d_h.dims(0) != batch_size: 4 vs. 3"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(op, name, shape, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _run(op, **{name: shape})
    assert text in str(caught.value)


def _misfits():
    """Each input of each op with one dimension more, one less, and each size in turn increased and decreased by one."""
    for op, (inputs, _) in OPS.items():
        for name, shape in inputs.items():
            yield op, name, [*shape, 1]
            yield op, name, shape[:-1]
            for axis, by in itertools.product(range(len(shape)), (-1, 1)):
                if not (name == "x" and len(shape) == 3 and axis == 0):  # any number of steps is valid
                    yield op, name, [size + by * (k == axis) for k, size in enumerate(shape)]


@pytest.mark.parametrize("op", OPS)
def test_no_input_of_another_shape_is_read(op):
    for _, name, shape in (misfit for misfit in _misfits() if misfit[0] == op):
        with pytest.raises(tf.errors.InvalidArgumentError):
            _run(op, **{name: shape})


@pytest.mark.parametrize("op", [op for op in OPS if op.startswith("Block")])
def test_steps_must_be_there(op):
    for steps in (-1, STEPS + 1, 2**62, -(2**63)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"seq_len_max must be in \[0, 7\]"):
            _run(op, steps=steps)
    with tf.Graph().as_default(), tf.Session() as sess:
        inputs = {name: tf.ones(shape) for name, shape in OPS[op][0].items()}
        outputs = getattr(tf.raw_ops, op)(seq_len_max=tf.constant([7], tf.int64), **inputs, **OPS[op][1])
        with pytest.raises(tf.errors.InvalidArgumentError, match="seq_len_max must be a scalar"):
            sess.run(list(outputs))


def test_nothing_comes_after_the_last_step():
    for value in _run("BlockLSTM", steps=2):
        assert value[:2].all() and not value[2:].any()
    x_grad = _run("BlockLSTMGrad", steps=2)[0]
    assert not x_grad[2:].any()


def _random_inputs(shapes):
    random = np.random.RandomState(1)
    return {name: random.uniform(-0.5, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def test_threads_do_not_matter():
    batch, inputs, units, steps = 150, 70, 130, 9
    state = [batch, units]
    shapes = {"x": [steps, batch, inputs], "cs_prev": state, "h_prev": state, "w": [inputs + units, 4 * units]}
    shapes.update({name: [units] for name in ("wci", "wcf", "wco")}, b=[4 * units])
    values = []
    for threads in (1, 3):
        config = tf.ConfigProto(intra_op_parallelism_threads=threads, use_per_session_threads=True)
        with tf.Graph().as_default(), tf.Session(config=config) as sess:
            given = {name: tf.constant(value) for name, value in _random_inputs(shapes).items()}
            outputs = tf.raw_ops.BlockLSTM(seq_len_max=np.int64(steps), use_peephole=True, **given)
            gradients = tf.gradients([outputs.cs, outputs.h], list(given.values()))
            values.append(sess.run([*outputs, *gradients]))
    for one, three in zip(*values, strict=True):
        np.testing.assert_array_equal(one, three)


def test_a_long_net_stops_when_it_is_to():
    batch, units, steps = 8, 512, 4000
    with tf.Graph().as_default(), tf.Session() as sess:
        x, state = tf.zeros([steps, batch, 1]), tf.zeros([batch, units])
        seen = tf.zeros([units])
        weights = {
            "w": tf.zeros([1 + units, 4 * units]),
            "wci": seen,
            "wcf": seen,
            "wco": seen,
            "b": tf.zeros([4 * units]),
        }
        length = tf.placeholder(tf.int64, [])  # fed, so that nothing is folded
        net = tf.raw_ops.BlockLSTM(seq_len_max=length, x=x, cs_prev=state, h_prev=state, **weights)
        options = tf.RunOptions(timeout_in_ms=60)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(net.h[-1, 0, 0], {length: steps}, options=options)
