"""TensorFlow's module path of the LSTM cells implemented by one operation."""

from tinytf.contrib.rnn.lstm_cells import LSTMBlockCell as LSTMBlockCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockFusedCell as LSTMBlockFusedCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockWrapper as LSTMBlockWrapper
