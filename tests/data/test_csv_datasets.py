"""Datasets of CSV files split records into fields as TensorFlow does."""

import csv_dataset_programs
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    csv_dataset_programs, "csv_datasets_of_1_15.json"
)
