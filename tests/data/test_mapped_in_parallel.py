"""The order, the errors and the ends of functions that are called in parallel, and of batches of their results."""

import mapped_in_parallel
import raw_datasets_parallel
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    mapped_in_parallel, "mapped_in_parallel.json", helpers=(raw_datasets_parallel,)
)
