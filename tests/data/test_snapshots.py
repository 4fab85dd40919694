"""Snapshots of datasets."""

import raw_datasets_parallel
import snapshots
from recorded import recorded

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    snapshots, "snapshots.json", helpers=(raw_datasets_parallel,)
)
