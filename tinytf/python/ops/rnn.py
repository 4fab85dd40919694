"""TensorFlow's path to recurrent neural networks."""

from tinytf._src.layers.rnn.bidirectional import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from tinytf._src.layers.rnn.bidirectional import static_bidirectional_rnn as static_bidirectional_rnn
from tinytf._src.layers.rnn.dynamic_rnn import dynamic_rnn as dynamic_rnn
from tinytf._src.layers.rnn.dynamic_rnn import transpose_batch_time as transpose_batch_time
from tinytf._src.layers.rnn.raw_rnn import raw_rnn as raw_rnn
from tinytf._src.layers.rnn.sizes import best_effort_input_batch_size as best_effort_input_batch_size
from tinytf._src.layers.rnn.static_rnn import static_rnn as static_rnn
from tinytf._src.layers.rnn.static_rnn import static_state_saving_rnn as static_state_saving_rnn
