"""TensorFlow's path to recurrent cells."""

from tinytf.nets.rnn.basic_lstm_cell import BasicLSTMCell as BasicLSTMCell
from tinytf.nets.rnn.basic_rnn_cell import BasicRNNCell as BasicRNNCell
from tinytf.nets.rnn.cell_wrapper import DeviceWrapper as DeviceWrapper
from tinytf.nets.rnn.cell_wrapper import ResidualWrapper as ResidualWrapper
from tinytf.nets.rnn.dropout_wrapper import DropoutWrapper as DropoutWrapper
from tinytf.nets.rnn.gru_cell import GRUCell as GRUCell
from tinytf.nets.rnn.lstm_cell import LSTMCell as LSTMCell
from tinytf.nets.rnn.lstm_state import LSTMStateTuple as LSTMStateTuple
from tinytf.nets.rnn.multi_rnn_cell import MultiRNNCell as MultiRNNCell
from tinytf.nets.rnn.rnn_cell import LayerRNNCell as LayerRNNCell
from tinytf.nets.rnn.rnn_cell import RNNCell as RNNCell
from tinytf.nets.rnn.rnn_cell import assert_like_rnncell as assert_like_rnncell
