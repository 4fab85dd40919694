"""TensorFlow's path to recurrent cells."""

from tinytf._src.layers.rnn.basic_lstm_cell import BasicLSTMCell as BasicLSTMCell
from tinytf._src.layers.rnn.basic_rnn_cell import BasicRNNCell as BasicRNNCell
from tinytf._src.layers.rnn.cell_wrapper import DeviceWrapper as DeviceWrapper
from tinytf._src.layers.rnn.cell_wrapper import ResidualWrapper as ResidualWrapper
from tinytf._src.layers.rnn.dropout_wrapper import DropoutWrapper as DropoutWrapper
from tinytf._src.layers.rnn.gru_cell import GRUCell as GRUCell
from tinytf._src.layers.rnn.lstm_cell import LSTMCell as LSTMCell
from tinytf._src.layers.rnn.lstm_state import LSTMStateTuple as LSTMStateTuple
from tinytf._src.layers.rnn.multi_rnn_cell import MultiRNNCell as MultiRNNCell
from tinytf._src.layers.rnn.rnn_cell import LayerRNNCell as LayerRNNCell
from tinytf._src.layers.rnn.rnn_cell import RNNCell as RNNCell
from tinytf._src.layers.rnn.rnn_cell import assert_like_rnncell as assert_like_rnncell
