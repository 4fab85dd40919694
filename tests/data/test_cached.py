"""Caches in memory and in files."""

import cached
import raw_datasets_parallel
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    cached, "cached.json", helpers=(raw_datasets_parallel,)
)
