"""Datasets of parsed Examples, of rows of databases, and datasets as graphs and files are as in TensorFlow."""

import function_dataset_programs
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    function_dataset_programs, "function_datasets_of_1_15.json"
)
