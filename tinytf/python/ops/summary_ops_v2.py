"""TensorFlow's path to summary ops that write to a file themselves."""

from tinytf._src.training.step_summaries import audio as audio
from tinytf._src.training.step_summaries import flush as flush
from tinytf._src.training.step_summaries import generic as generic
from tinytf._src.training.step_summaries import graph as graph
from tinytf._src.training.step_summaries import histogram as histogram
from tinytf._src.training.step_summaries import image as image
from tinytf._src.training.step_summaries import import_event as import_event
from tinytf._src.training.step_summaries import initialize as initialize
from tinytf._src.training.step_summaries import scalar as scalar
from tinytf._src.training.summary_writers import SummaryWriter as SummaryWriter
from tinytf._src.training.summary_writers import all_v2_summary_ops as all_v2_summary_ops
from tinytf._src.training.summary_writers import always_record_summaries as always_record_summaries
from tinytf._src.training.summary_writers import create_file_writer as create_file_writer
from tinytf._src.training.summary_writers import never_record_summaries as never_record_summaries
from tinytf._src.training.summary_writers import record_if as record_if
from tinytf._src.training.summary_writers import (
    record_summaries_every_n_global_steps as record_summaries_every_n_global_steps,
)
from tinytf._src.training.summary_writers import should_record_summaries as should_record_summaries
from tinytf._src.training.summary_writers import summary_writer_initializer_op as summary_writer_initializer_op
