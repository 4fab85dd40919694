"""`tf.contrib.rnn`: aliases of `tf.nn.rnn_cell`, further cells, cells and networks implemented by single operations,
and stacked bidirectional networks."""

import tinytf as tf
from tinytf.contrib.rnn.attention_cell import AttentionCellWrapper
from tinytf.contrib.rnn.bidirectional_grid_cell import BidirectionalGridLSTMCell
from tinytf.contrib.rnn.compiled_wrapper import CompiledWrapper
from tinytf.contrib.rnn.conv_cells import Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell, ConvLSTMCell
from tinytf.contrib.rnn.coupled_cell import CoupledInputForgetGateLSTMCell
from tinytf.contrib.rnn.diagonal_cells import IndRNNCell, IndyGRUCell, IndyLSTMCell, SRUCell
from tinytf.contrib.rnn.fused_cells import FusedRNNCell, FusedRNNCellAdaptor, TimeReversedFusedRNN
from tinytf.contrib.rnn.gated_cells import IntersectionRNNCell, NASCell, UGRNNCell
from tinytf.contrib.rnn.grid_cells import GridLSTMCell
from tinytf.contrib.rnn.group_cell import GLSTMCell
from tinytf.contrib.rnn.gru_cells import GRUBlockCell, GRUBlockCellV2
from tinytf.contrib.rnn.layer_norm_cell import LayerNormBasicLSTMCell
from tinytf.contrib.rnn.lstm_cells import LSTMBlockCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockFusedCell, LSTMBlockWrapper
from tinytf.contrib.rnn.phased_cell import PhasedLSTMCell
from tinytf.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from tinytf.contrib.rnn.time_frequency_cell import TimeFreqLSTMCell
from tinytf.contrib.rnn.wrappers import (
    EmbeddingWrapper,
    HighwayWrapper,
    InputProjectionWrapper,
    OutputProjectionWrapper,
)
from tinytf.python.missing import no_other_names
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
    "AttentionCellWrapper",
    "BasicLSTMCell",
    "BasicRNNCell",
    "BidirectionalGridLSTMCell",
    "CompiledWrapper",
    "Conv1DLSTMCell",
    "Conv2DLSTMCell",
    "Conv3DLSTMCell",
    "ConvLSTMCell",
    "CoupledInputForgetGateLSTMCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "EmbeddingWrapper",
    "FusedRNNCell",
    "FusedRNNCellAdaptor",
    "GLSTMCell",
    "GRUBlockCell",
    "GRUBlockCellV2",
    "GRUCell",
    "GridLSTMCell",
    "HighwayWrapper",
    "IndRNNCell",
    "IndyGRUCell",
    "IndyLSTMCell",
    "InputProjectionWrapper",
    "IntersectionRNNCell",
    "LSTMBlockCell",
    "LSTMBlockFusedCell",
    "LSTMBlockWrapper",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerNormBasicLSTMCell",
    "LayerRNNCell",
    "MultiRNNCell",
    "NASCell",
    "OutputProjectionWrapper",
    "PhasedLSTMCell",
    "RNNCell",
    "ResidualWrapper",
    "SRUCell",
    "TimeFreqLSTMCell",
    "TimeReversedFusedRNN",
    "UGRNNCell",
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]
__getattr__ = no_other_names(__name__)
