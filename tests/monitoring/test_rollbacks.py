"""Messages, counters and repeated work after a monitored session is lost."""

import pytest

import tinytf as tf


class Fails(tf.train.SessionRunHook):
    """Raises the error before the steps with these numbers, counted from 0."""

    def __init__(self, steps, error=tf.errors.AbortedError):
        self.steps, self.error, self.seen = set(steps), error, -1

    def before_run(self, run_context):
        self.seen += 1
        if self.seen in self.steps:
            raise self.error(None, None, "gone")


def _warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith("The session was lost")]


_GONE = " Handles and input positions of the lost session are no longer valid."


@pytest.mark.parametrize("use_resource", [False, True])
def test_the_warning_names_the_step_and_the_checkpoint(tmp_path, caplog, use_resource):
    with tf.variable_scope("", use_resource=use_resource):
        step = tf.train.get_or_create_global_step()
    up = step.assign_add(1).op
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), save_checkpoint_steps=4, save_summaries_steps=0, hooks=[Fails([7])]
    ) as sess:
        for _ in range(7):
            sess.run(up)
        saved = sess.report().last_checkpoint
        assert saved.endswith("-4")
        sess.run(up)
        assert sess.run(step, hooks=False) == 5
        report = sess.report()
    assert _warnings(caplog) == [
        f"The session was lost (loss 1, AbortedError: gone). A new session continues at global step 4, restored from {saved}; "
        "the lost session had reached step 7: 3 steps are repeated." + _GONE
    ]
    assert (
        caplog.records[[r.getMessage()[:16] for r in caplog.records].index("The session was ")].levelname == "WARNING"
    )
    assert report.steps_again == 3 and "repeated steps: 3\n" in str(report)


def test_without_a_checkpoint_and_without_a_global_step(caplog):
    step = tf.train.get_or_create_global_step()
    up = step.assign_add(1).op
    with tf.train.MonitoredSession(hooks=[Fails([1, 3], tf.errors.UnavailableError)]) as sess:
        for _ in range(3):
            sess.run(up)
    cause = "UnavailableError: gone"
    assert _warnings(caplog) == [
        f"The session was lost (loss 1, {cause}). A new session continues at global step 0, without a checkpoint; the lost "
        "session had reached step 1: 1 step is repeated." + _GONE,
        f"The session was lost (loss 2, {cause}). A new session continues at global step 0, without a checkpoint; the lost "
        "session had reached step 1: 1 step is repeated." + _GONE,
    ]
    caplog.clear()
    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        with tf.train.MonitoredSession(hooks=[Fails([1])]) as sess:
            sess.run(v)
            sess.run(v)
            assert sess.report().steps_again == 0
    assert _warnings(caplog) == [
        "The session was lost (loss 1, AbortedError: gone). A new session continues at the beginning, without a checkpoint."
        + _GONE
    ]


@pytest.mark.parametrize("kind", ["two", "text", "unfed", "partitioned"])
def test_a_global_step_that_is_none_does_not_matter(caplog, kind):
    if kind == "two":
        for name in "ab":
            tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(1, name=name))
    elif kind == "text":
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, "none")
    elif kind == "unfed":
        tf.placeholder(tf.int64, [], name="global_step")
    else:
        parts = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2))
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, parts)
    v = tf.Variable(1.0)
    with tf.train.MonitoredSession(hooks=[Fails([1])]) as sess:
        assert sess.run(v) == sess.run(v) == 1.0
    assert len(_warnings(caplog)) == 1 and not [r for r in caplog.records if r.levelname == "ERROR"]


def test_a_session_that_cannot_be_read_any_more(caplog):
    step = tf.train.get_or_create_global_step()

    class Closes(tf.train.SessionRunHook):
        closed = False

        def before_run(self, run_context):
            if not self.closed:
                self.closed = True
                run_context.session.close()
                raise tf.errors.AbortedError(None, None, "gone")

    with tf.train.MonitoredSession(hooks=[Closes()]) as sess:
        assert sess.run(step) == 0
    assert _warnings(caplog) == [
        "The session was lost (loss 1, AbortedError: gone). A new session continues at global step 0, without a checkpoint."
        + _GONE
    ]


def test_sessions_that_cannot_be_made_are_one_loss_to_tell_of(caplog):
    v, failures = tf.Variable(1.0), [tf.errors.AbortedError(None, None, "not yet")] * 2

    class Refuses(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            if sess_made and failures:
                raise failures.pop()
            sess_made.append(session)

    sess_made = []
    policy = tf.experimental.RecoveryPolicy(first_wait_secs=0.001)
    with tf.train.MonitoredSession(hooks=[Refuses(), Fails([1])], recovery=policy) as sess:
        sess.run(v)
        sess.run(v)
    assert len(sess_made) == 2
    (text,) = _warnings(caplog)
    assert text.startswith("The session was lost (loss 3, AbortedError: gone).")


def test_handles_are_asked_for_again():
    v = tf.Variable([1.0, 2.0])
    kept = tf.get_session_handle(v + 1.0)
    x = tf.placeholder(tf.float32, [2])
    y = x * 10.0
    asked = []

    def provide(session):
        asked.append(session)
        return session.run(kept)

    hook = tf.experimental.HandleFeedHook({x: provide})
    with tf.train.MonitoredSession(hooks=[hook, Fails([2])]) as sess:
        first = sess.raw_session()
        for _ in range(4):
            assert sess.run(y).tolist() == [20.0, 30.0]
        assert asked == [first, sess.raw_session()] and asked[0] is not asked[1]
        assert sess.recoveries == 1
    assert hook.before_run(None) is None


def test_an_error_of_a_provider_ends_the_session():
    v = tf.Variable(1.0)

    def provide(session):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        tf.train.MonitoredSession(hooks=[tf.experimental.HandleFeedHook({v: provide})])
