"""Datasets of lines, records of fixed length, and records read files as TensorFlow does."""

import file_dataset_programs
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    file_dataset_programs, "file_datasets_of_1_15.json"
)
