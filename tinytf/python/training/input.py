"""TensorFlow's path to pipelines of queues, and to what other pipelines are made of."""

from tinytf.training.input.batching import batch as batch
from tinytf.training.input.batching import batch_join as batch_join
from tinytf.training.input.batching import maybe_batch as maybe_batch
from tinytf.training.input.batching import maybe_batch_join as maybe_batch_join
from tinytf.training.input.batching import maybe_shuffle_batch as maybe_shuffle_batch
from tinytf.training.input.batching import maybe_shuffle_batch_join as maybe_shuffle_batch_join
from tinytf.training.input.batching import shuffle_batch as shuffle_batch
from tinytf.training.input.batching import shuffle_batch_join as shuffle_batch_join
from tinytf.training.input.examples import Examples as Examples
from tinytf.training.input.producers import input_producer as input_producer
from tinytf.training.input.producers import limit_epochs as limit_epochs
from tinytf.training.input.producers import match_filenames_once as match_filenames_once
from tinytf.training.input.producers import range_input_producer as range_input_producer
from tinytf.training.input.producers import slice_input_producer as slice_input_producer
from tinytf.training.input.producers import string_input_producer as string_input_producer
