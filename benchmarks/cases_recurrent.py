"""Training steps of recurrent networks: 28 time steps of 28 features, an LSTM with 128 units -> 10, gradient descent,
batch size 64.

Each step feeds one batch and fetches only the training op.
"""

from __future__ import annotations

from case import Case, sessions
from cases_training import batch_of, dense, tf_step, tf_training, torch_step

LSTM_BATCH, UNITS, STEPS, INPUTS = 64, 128, 28, 28


def _lstm_step(tf, x, cell, hidden, weights, bias):
    gates = tf.matmul(tf.concat([x, hidden], 1), weights) + bias
    new, into, forget, out = tf.split(gates, 4, 1)
    cell = cell * tf.sigmoid(forget + 1.0) + tf.sigmoid(into) * tf.tanh(new)
    return cell, tf.tanh(cell) * tf.sigmoid(out)


def _unrolled(tf, x, zeros, *parameters):
    cell = hidden = zeros
    for step in range(STEPS):
        cell, hidden = _lstm_step(tf, x[:, step], cell, hidden, *parameters)
    return hidden


def _looped(tf, x, zeros, *parameters):
    taken = tf.TensorArray(tf.float32, STEPS).unstack(tf.transpose(x, [1, 0, 2]))

    def body(step, cell, hidden, given):
        cell, hidden = _lstm_step(tf, taken.read(step), cell, hidden, *parameters)
        return step + 1, cell, hidden, given.write(step, hidden)

    start = 0, zeros, zeros, tf.TensorArray(tf.float32, STEPS)
    return tf.while_loop(lambda step, *_: step < STEPS, body, start)[-1].stack()[-1]


def _tf_lstm(run):
    def program(peer):
        tf = peer.tf

        def logits(x):
            weights = tf.Variable(tf.truncated_normal([INPUTS + UNITS, 4 * UNITS], stddev=0.1, seed=1))
            hidden = run(tf, x, tf.zeros([LSTM_BATCH, UNITS]), weights, tf.Variable(tf.zeros([4 * UNITS])))
            return dense(tf, hidden, UNITS, 10)

        optimizer = tf.train.GradientDescentOptimizer(0.1)
        return tf_step(*tf_training(peer, logits, optimizer, batch_of(LSTM_BATCH, STEPS, INPUTS)))

    return program


def _fused(tf, x, zeros, weights, bias):
    """One op for all time steps, as created by `tf.contrib.rnn.LSTMBlockFusedCell`; a raw op, because TensorFlow 2
    has no `contrib`.
    """
    x = tf.transpose(x, [1, 0, 2])
    unseen = tf.zeros([UNITS])
    net = tf.raw_ops.BlockLSTM(
        seq_len_max=tf.cast(STEPS, tf.int64),
        x=x,
        cs_prev=zeros,
        h_prev=zeros,
        w=weights,
        b=bias,
        wci=unseen,
        wcf=unseen,
        wco=unseen,
        cell_clip=-1.0,
    )
    return net.h[-1]


def _fused_cells(cell):
    """`tf.nn.dynamic_rnn` with the cell that `cell(tf)` returns."""

    def program(peer):
        tf = peer.tf

        def logits(x):
            x = tf.reshape(x, [LSTM_BATCH, STEPS, INPUTS])
            _, state = tf.nn.dynamic_rnn(cell(tf), x, dtype=tf.float32)
            return dense(tf, state.h, UNITS, 10)

        optimizer = tf.train.GradientDescentOptimizer(0.1)
        return tf_step(*tf_training(peer, logits, optimizer, batch_of(LSTM_BATCH, STEPS, INPUTS)))

    return program


def _torch_fused(peer):
    torch = peer.torch
    net, last = torch.nn.LSTM(INPUTS, UNITS, batch_first=True), torch.nn.Linear(UNITS, 10)
    optimizer = torch.optim.SGD([*net.parameters(), *last.parameters()], 0.1)
    return torch_step(peer, lambda x: last(net(x)[0][:, -1]), optimizer, batch_of(LSTM_BATCH, STEPS, INPUTS))


def _torch_lstm(peer):
    torch = peer.torch
    weights = torch.nn.Parameter(torch.randn(INPUTS + UNITS, 4 * UNITS) * 0.1)
    bias, last = torch.nn.Parameter(torch.zeros(4 * UNITS)), torch.nn.Linear(UNITS, 10)

    def model(x):
        cell = hidden = torch.zeros(LSTM_BATCH, UNITS)
        for step in range(STEPS):
            gates = torch.addmm(bias, torch.cat([x[:, step], hidden], 1), weights)
            new, into, forget, out = gates.split(UNITS, 1)
            cell = cell * torch.sigmoid(forget + 1.0) + torch.sigmoid(into) * torch.tanh(new)
            hidden = torch.tanh(cell) * torch.sigmoid(out)
        return last(hidden)

    optimizer = torch.optim.SGD([weights, bias, *last.parameters()], 0.1)
    return torch_step(peer, model, optimizer, batch_of(LSTM_BATCH, STEPS, INPUTS))


_DYNAMIC = {
    "tinytf": _fused_cells(lambda tf: tf.contrib.rnn.LSTMBlockCell(UNITS)),
    "tensorflow": _fused_cells(lambda tf: tf.nn.rnn_cell.LSTMCell(UNITS)),  # no gradient for LSTMBlockCell there
    "torch": _torch_fused,
}

CASES = [
    Case("lstm", "unrolled LSTM + SGD step, batch 64", "ms", 13, sessions(_tf_lstm(_unrolled), torch=_torch_lstm)),
    Case("lstm_loop", "the same by a loop", "ms", 13, sessions(_tf_lstm(_looped), torch=_torch_lstm)),
    Case("lstm_cell", "the same, steps LSTMBlockCell", "ms", 13, _DYNAMIC),
    Case("lstm_fused", "the same, LSTMBlockFusedCell", "ms", 9, sessions(_tf_lstm(_fused), torch=_torch_fused)),
]
