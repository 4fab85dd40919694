"""Fused cells compute the same as cells made of basic ops with the same variables."""

import numpy as np
import pytest

import tinytf as tf

_X = np.random.RandomState(4).uniform(-1, 1, [5, 3, 4]).astype(np.float32)  # [time, batch, depth]
_LENGTHS = [5, 2, 0]


def _seen(outputs, states):
    """Values and gradients of a network, whose variables are shared by name."""
    flat = tf.nest.flatten([outputs, states])
    loss = tf.add_n([tf.reduce_sum(value**2) for value in flat])
    return [*flat, *tf.gradients(loss, sorted(tf.trainable_variables(), key=lambda v: v.name))]


def _compare(nets):
    """Runs each network in the same variable scope and compares the results."""
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        for net in nets:
            with tf.variable_scope(
                "net", reuse=tf.AUTO_REUSE, initializer=tf.random_uniform_initializer(-1, 1, seed=3)
            ):
                found.append(_seen(*net(tf.constant(_X))))
        session.run(tf.global_variables_initializer())
        found = session.run(found)
    for values in zip(*found, strict=True):
        for value in values[1:]:
            np.testing.assert_allclose(value, values[0], rtol=2e-5, atol=2e-5)
    assert len({len(values) for values in found}) == 1


def _by_cell(cell, **options):
    options = {"dtype": tf.float32, "time_major": True, **options}
    return lambda x: tf.nn.dynamic_rnn(cell(), x, scope="run", **options)


def _by_sequence(x, peepholes, **options):
    with tf.variable_scope("run"):
        net = tf.contrib.rnn.LSTMBlockFusedCell(6, 0.5, use_peephole=peepholes, name="lstm_cell")
        return net(x, dtype=tf.float32, **options)


@pytest.mark.parametrize("lengths", [None, _LENGTHS], ids=["all", "lengths"])
@pytest.mark.parametrize("peepholes", [False, True], ids=["plain", "peepholes"])
def test_lstms(peepholes, lengths):
    options = {"sequence_length": lengths}
    _compare(
        [
            _by_cell(lambda: tf.nn.rnn_cell.LSTMCell(6, peepholes, forget_bias=0.5), **options),
            _by_cell(lambda: tf.contrib.rnn.LSTMBlockCell(6, 0.5, use_peephole=peepholes), **options),
            lambda x: _by_sequence(x, peepholes, **options),
        ]
    )


def test_grus():
    cells = tf.nn.rnn_cell.GRUCell, tf.contrib.rnn.GRUBlockCellV2
    _compare([_by_cell(lambda cell=cell: cell(6, name="gru_cell"), sequence_length=_LENGTHS) for cell in cells])


def test_gates_in_the_other_order():
    """`BlockLSTMV2` and its gradient equal `BlockLSTM` with permuted weight columns."""
    units, random = 6, np.random.RandomState(5)
    w = random.uniform(-1, 1, [4 + units, 4 * units]).astype(np.float32)
    b = random.uniform(-1, 1, [4 * units]).astype(np.float32)
    state = random.uniform(-1, 1, [3, units]).astype(np.float32)
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        for op, order in (("BlockLSTM", (0, 1, 2, 3)), ("BlockLSTMV2", (0, 2, 1, 3))):
            weights = tf.constant(w), tf.constant(b)
            placed = [tf.concat([tf.split(v, 4, -1)[k] for k in order], -1) for v in weights]
            x, seen = tf.constant(_X), tf.fill([units], 0.5)
            others = {"wci": seen, "wcf": seen, "wco": seen, "cs_prev": state, "h_prev": state}
            bias = {"forget_bias": 0.0} if op == "BlockLSTM" else {}
            net = getattr(tf.raw_ops, op)(
                **others,
                **bias,
                seq_len_max=np.int64(5),
                x=x,
                w=placed[0],
                b=placed[1],
                cell_clip=0.0,
                use_peephole=True,
            )
            loss = tf.reduce_sum(net.h**2) + tf.reduce_sum(net.cs)
            found.append([*net, *tf.gradients(loss, [x, seen, *weights])])
        first, second = session.run(found)
    for one, two in zip(first, second, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-5)
