"""Ops without a row, with the reason, which says where they are tested. All others have a row in the op table
(`rows_*.py`), a random one (`random_rows.py`), one on a state (`state_table.py`), or one of a dataset (`data_rows*.py`).
"""

WITHOUT_ROW = {
    "Placeholder": "the value comes from outside; every row feeds some",
    "PlaceholderV2": "the value comes from outside (tests/graphs/test_early_ops.py)",
    "Abort": "it ends the process (tests/session/test_abort.py)",
    "TensorSummary": "its message has the name of the node (test_summary_ops.py)",
    "RecordInput": "it reads its files without end (tests/queues/test_record_input.py)",
    "RemoteCall": "it calls a function of the graph (tests/data/programs/device_copies.py)",
    "ReduceJoin": "its program is that of tf.data.Dataset.list_files (tests/data/programs)",
    "LMDBDataset": "it always fails (tests/data/test_lmdb.py)",
    "ExperimentalLMDBDataset": "it always fails (tests/data/test_lmdb.py)",
}
