"""Tests can detect plans that are not compiled."""

import pytest
from ways import reasons_for_tokens

import tinytf as tf


def _two_predicates():
    """A Merge that no single predicate decides; one of its inputs depends on two."""
    p, q, x = tf.placeholder_with_default(True, []), tf.placeholder(tf.bool, []), tf.placeholder_with_default(1.0, [])
    ways = [tf.raw_ops.Switch(data=x, pred=one) for one in (q, tf.logical_and(q, p))]
    return tf.raw_ops.Merge(inputs=[ways[0].output_false, ways[1].output_true]).output, q


@pytest.mark.parametrize("ask", ["run", "make_callable", "plan_report"])
def test_reasons(sess, ask):
    merged, q = _two_predicates()
    with reasons_for_tokens() as reasons:
        sess.run(tf.cond(q, lambda: 1.0, lambda: 2.0), {q: True})
    assert reasons == []
    with reasons_for_tokens() as reasons:
        asked = {
            "run": lambda: sess.run(merged, {q: True}),
            "make_callable": lambda: sess.make_callable(merged, [q])(True),
            "plan_report": lambda: sess.plan_report(merged, [q]),
        }
        asked[ask]()
    assert reasons == ["{{node Merge}} merges values that are not the two branches of one predicate"]
    assert sess.run(merged, {q: False}) == 1.0
