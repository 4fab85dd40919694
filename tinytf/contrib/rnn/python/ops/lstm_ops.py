"""TensorFlow's path to LSTMs of one operation."""

from tinytf.contrib.rnn.lstm_cells import LSTMBlockCell as LSTMBlockCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockFusedCell as LSTMBlockFusedCell
from tinytf.contrib.rnn.lstm_sequences import LSTMBlockWrapper as LSTMBlockWrapper
