"""Stages that measure, choose the fastest, wait or name threads."""

import measured
import raw_datasets_parallel
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    measured, "measured.json", helpers=(raw_datasets_parallel,)
)
