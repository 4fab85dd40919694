"""Queue-based input pipelines give the values and errors of TensorFlow 1.15.5."""

import input_programs
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    input_programs, "inputs_of_1_15.json"
)
