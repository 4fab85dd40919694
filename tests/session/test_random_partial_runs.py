"""Random programs of branches and loops give the same values in a partial run as in a single step."""

import os
import random

import numpy as np
import pytest
from random_values import RandomValues, in_parts

import tinytf as tf

_PROGRAMS = int(os.environ.get("TINYTF_PARTIAL_PROGRAMS", "40"))


@pytest.mark.parametrize("parts", ["primitives", "functions"])
def test_programs(parts):
    for number in range(_PROGRAMS):
        choose = random.Random(number)
        if parts == "functions":
            tf.enable_control_flow_v2()
        try:
            with tf.Graph().as_default():
                program = RandomValues(choose)
                fetches = [tf.identity(program.value(3)) for _ in range(choose.randint(1, 4))]
                feed = {
                    tensor: choose.random() < 0.5 if tensor.dtype == tf.bool else choose.random()
                    for tensor in program.feeds
                }
                with tf.Session() as session:
                    report = session.plan_report(fetches, list(feed))
                    assert report.way in ("straight", "code"), (number, report.why_tokens)
                    whole = session.run(fetches, feed)
                    for _ in range(3):
                        np.testing.assert_array_equal(
                            in_parts(session, choose, fetches, feed), whole, f"program {number}"
                        )
        finally:
            tf.disable_control_flow_v2()
