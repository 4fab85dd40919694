"""The order, the errors and the ends of interleaved datasets."""

import interleaved
import raw_datasets_parallel
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    interleaved, "interleaved.json", helpers=(raw_datasets_parallel,)
)


def test_an_interleave_skips_the_element_whose_function_fails():
    end = "OutOfRangeError: End of sequence"
    with tf.Graph().as_default():
        dataset = interleaved.interleave(
            tf, "InterleaveDataset", raw_datasets_parallel.count_up(tf, 4), interleaved.failing_function(tf), 2, 2
        )
        found = raw_datasets_parallel.all_pulls(tf, dataset, raw_datasets_parallel.numbers(tf))
    error = "InvalidArgumentError: assertion failed: [makes none]"
    assert found == [0, 1, 10, 11, 2, 3, 12, 13, error, 30, 31, 32, 33, end, end]
