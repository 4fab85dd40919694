"""TensorFlow's path to stacks of nets of both directions."""

from tinytf.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from tinytf.contrib.rnn.stacks import stack_bidirectional_rnn as stack_bidirectional_rnn
