"""TensorFlow's old path to recurrent cells."""

from tinytf.python.ops.rnn_cell_impl import BasicLSTMCell as BasicLSTMCell
from tinytf.python.ops.rnn_cell_impl import BasicRNNCell as BasicRNNCell
from tinytf.python.ops.rnn_cell_impl import DeviceWrapper as DeviceWrapper
from tinytf.python.ops.rnn_cell_impl import DropoutWrapper as DropoutWrapper
from tinytf.python.ops.rnn_cell_impl import GRUCell as GRUCell
from tinytf.python.ops.rnn_cell_impl import LSTMCell as LSTMCell
from tinytf.python.ops.rnn_cell_impl import LSTMStateTuple as LSTMStateTuple
from tinytf.python.ops.rnn_cell_impl import MultiRNNCell as MultiRNNCell
from tinytf.python.ops.rnn_cell_impl import ResidualWrapper as ResidualWrapper
from tinytf.python.ops.rnn_cell_impl import RNNCell as RNNCell
