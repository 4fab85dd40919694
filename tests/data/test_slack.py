"""The rewrite `slack` of pipelines, beyond the programs that are recorded from TensorFlow 1.15.5."""

import tinytf as tf


def test_datasets_that_inputs_share_are_checked_once():
    dataset = tf.data.Dataset.range(2).prefetch(1)
    for _ in range(60):  # 2^60 ways to the prefetch
        dataset = tf.data.Dataset.zip((dataset, dataset)).map(lambda a, b: a)
    checked = tf.raw_ops.OptimizeDataset(
        input_dataset=dataset._variant_tensor,
        optimizations=["slack"],
        output_types=[tf.int64],
        output_shapes=[[]],
        optimization_configs=["slack:slack_period:1"],
    )
    with tf.Session() as session:
        session.run(checked.op)
