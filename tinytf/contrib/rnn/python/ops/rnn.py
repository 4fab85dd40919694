"""TensorFlow's module path of the stacked bidirectional networks."""

from tinytf.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from tinytf.contrib.rnn.stacks import stack_bidirectional_rnn as stack_bidirectional_rnn
