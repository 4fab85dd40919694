"""Datasets of sparse tensors, random numbers and names of files have the elements of TensorFlow's."""

import source_dataset_programs
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    source_dataset_programs, "source_datasets_of_1_15.json"
)
