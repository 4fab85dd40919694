"""TensorFlow's module path of the GRU cells implemented by one operation."""

from tinytf.contrib.rnn.gru_cells import GRUBlockCell as GRUBlockCell
from tinytf.contrib.rnn.gru_cells import GRUBlockCellV2 as GRUBlockCellV2
