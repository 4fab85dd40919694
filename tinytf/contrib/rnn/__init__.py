"""`tf.contrib.rnn`: the names of `tf.nn.rnn_cell` and of nets, cells and nets that are one operation, and stacks of nets of both
directions."""

import tinytf as tf
from tinytf.contrib.rnn.fused_cells import FusedRNNCell, FusedRNNCellAdaptor, TimeReversedFusedRNN
from tinytf.contrib.rnn.gru_cells import GRUBlockCell, GRUBlockCellV2
from tinytf.contrib.rnn.lstm_cells import LSTMBlockCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockFusedCell, LSTMBlockWrapper
from tinytf.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from tinytf.python.ops.rnn import best_effort_input_batch_size, transpose_batch_time
from tinytf.python.ops.rnn_cell_impl import LayerRNNCell

BasicLSTMCell = tf.nn.rnn_cell.BasicLSTMCell
BasicRNNCell = tf.nn.rnn_cell.BasicRNNCell
DeviceWrapper = tf.nn.rnn_cell.DeviceWrapper
DropoutWrapper = tf.nn.rnn_cell.DropoutWrapper
GRUCell = tf.nn.rnn_cell.GRUCell
LSTMCell = tf.nn.rnn_cell.LSTMCell
LSTMStateTuple = tf.nn.rnn_cell.LSTMStateTuple
MultiRNNCell = tf.nn.rnn_cell.MultiRNNCell
RNNCell = tf.nn.rnn_cell.RNNCell
ResidualWrapper = tf.nn.rnn_cell.ResidualWrapper
static_bidirectional_rnn = tf.nn.static_bidirectional_rnn
static_rnn = tf.nn.static_rnn
static_state_saving_rnn = tf.nn.static_state_saving_rnn

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "FusedRNNCell",
    "FusedRNNCellAdaptor",
    "GRUBlockCell",
    "GRUBlockCellV2",
    "GRUCell",
    "LSTMBlockCell",
    "LSTMBlockFusedCell",
    "LSTMBlockWrapper",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerRNNCell",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
    "TimeReversedFusedRNN",
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]
