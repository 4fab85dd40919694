"""TensorFlow's module path of the fused networks."""

from tinytf.contrib.rnn.fused_cells import FusedRNNCell as FusedRNNCell
from tinytf.contrib.rnn.fused_cells import FusedRNNCellAdaptor as FusedRNNCellAdaptor
from tinytf.contrib.rnn.fused_cells import TimeReversedFusedRNN as TimeReversedFusedRNN
