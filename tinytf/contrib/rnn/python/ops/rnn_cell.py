"""TensorFlow's module path of the further cells."""

from tinytf.contrib.rnn.attention_cell import AttentionCellWrapper as AttentionCellWrapper
from tinytf.contrib.rnn.bidirectional_grid_cell import BidirectionalGridLSTMCell as BidirectionalGridLSTMCell
from tinytf.contrib.rnn.compiled_wrapper import CompiledWrapper as CompiledWrapper
from tinytf.contrib.rnn.conv_cells import Conv1DLSTMCell as Conv1DLSTMCell
from tinytf.contrib.rnn.conv_cells import Conv2DLSTMCell as Conv2DLSTMCell
from tinytf.contrib.rnn.conv_cells import Conv3DLSTMCell as Conv3DLSTMCell
from tinytf.contrib.rnn.conv_cells import ConvLSTMCell as ConvLSTMCell
from tinytf.contrib.rnn.coupled_cell import CoupledInputForgetGateLSTMCell as CoupledInputForgetGateLSTMCell
from tinytf.contrib.rnn.diagonal_cells import IndRNNCell as IndRNNCell
from tinytf.contrib.rnn.diagonal_cells import IndyGRUCell as IndyGRUCell
from tinytf.contrib.rnn.diagonal_cells import IndyLSTMCell as IndyLSTMCell
from tinytf.contrib.rnn.diagonal_cells import SRUCell as SRUCell
from tinytf.contrib.rnn.gated_cells import IntersectionRNNCell as IntersectionRNNCell
from tinytf.contrib.rnn.gated_cells import NASCell as NASCell
from tinytf.contrib.rnn.gated_cells import UGRNNCell as UGRNNCell
from tinytf.contrib.rnn.grid_cells import GridLSTMCell as GridLSTMCell
from tinytf.contrib.rnn.group_cell import GLSTMCell as GLSTMCell
from tinytf.contrib.rnn.layer_norm_cell import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from tinytf.contrib.rnn.phased_cell import PhasedLSTMCell as PhasedLSTMCell
from tinytf.contrib.rnn.time_frequency_cell import TimeFreqLSTMCell as TimeFreqLSTMCell
from tinytf.contrib.rnn.wrappers import HighwayWrapper as HighwayWrapper
