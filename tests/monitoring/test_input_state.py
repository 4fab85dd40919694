"""`MonitoredTrainingSession(save_input_state=True)`: trainings that resume read the elements that come next."""

import pytest

import tinytf as tf


def _pipeline():
    numbers = tf.data.Dataset.range(12).shuffle(5, seed=3).map(lambda x: x * 10)
    return numbers.batch(2).prefetch(3).repeat()


def _by_tables(dataset):
    iterator = tf.data.make_initializable_iterator(dataset)
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
    return iterator, None


def _by_itself(dataset):
    return tf.data.make_one_shot_iterator(dataset), None


def _by_program(dataset):
    iterator = tf.data.make_initializable_iterator(dataset)
    return iterator, lambda sess: sess.run(iterator.initializer)


def _by_raw_session(dataset):
    iterator = tf.data.make_initializable_iterator(dataset)
    return iterator, lambda sess: sess.raw_session().run(iterator.initializer)


def _by_structure(dataset):
    iterator = tf.data.Iterator.from_structure(dataset.output_types, dataset.output_shapes)
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.make_initializer(dataset))
    return iterator, None


STARTS = {start.__name__: start for start in (_by_tables, _by_itself, _by_program, _by_raw_session, _by_structure)}


def _trained(folder, steps, start=_by_tables, dataset=_pipeline, saves=True, hooks=(), before=None, **more):
    """The elements that so many steps read in a new session, which saves at its end."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        iterator, begin = start(dataset())
        element = iterator.get_next()
        train = tf.assign_add(step, 1)
        if before:
            before()
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(folder),
            save_checkpoint_steps=100,
            save_summaries_steps=None,
            log_step_count_steps=None,
            save_input_state=saves,
            hooks=list(hooks),
            **more,
        ) as sess:
            if begin:
                begin(sess)
            return [sess.run([element, train])[0].tolist() for _ in range(steps)]


@pytest.fixture
def whole(tmp_path):
    """The elements of a training that was not interrupted."""
    return _trained(tmp_path / "whole", 20)


@pytest.mark.parametrize("start", STARTS)
def test_trainings_go_on_with_the_next_element(tmp_path, whole, start):
    found = []
    for steps in (5, 1, 0, 8, 6):
        found += _trained(tmp_path / "parts", steps, STARTS[start])
    assert found == whole


def test_checkpoints_written_in_the_background(tmp_path, whole):
    found = []
    for steps in (5, 8, 7):
        found += _trained(tmp_path / "parts", steps, async_save=True)
    assert found == whole


def test_position_is_not_lost_if_the_iterator_is_not_initialized_before_a_save(tmp_path, whole):
    found = _trained(tmp_path / "parts", 5, _by_program)
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        _by_program(_pipeline())
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path / "parts"), save_checkpoint_steps=1, save_input_state=True
        ) as sess:
            sess.run(tf.get_default_graph().get_tensor_by_name("global_step:0"))
            saver = tf.get_collection(tf.GraphKeys.SAVERS)[0]
            saver.save(sess, str(tmp_path / "parts" / "model.ckpt"), global_step=7)
    found += _trained(tmp_path / "parts", 15, _by_program)
    assert found == whole


def test_an_iterator_that_is_initialized_again_starts_over(tmp_path):
    def twice(dataset):
        iterator, begin = _by_program(dataset)
        return iterator, lambda sess: (begin(sess), begin(sess))

    first = _trained(tmp_path, 5)
    assert _trained(tmp_path, 5, twice) == first


def test_several_iterators(tmp_path):
    def pair(dataset):
        first = tf.data.make_one_shot_iterator(dataset)
        second = tf.data.make_one_shot_iterator(tf.data.Dataset.range(100).shuffle(10, seed=5))

        class Both:
            @staticmethod
            def get_next():
                return tf.concat([first.get_next(), [second.get_next()]], 0)

        return Both, None

    whole = _trained(tmp_path / "whole", 9, pair)
    assert _trained(tmp_path / "parts", 4, pair) + _trained(tmp_path / "parts", 5, pair) == whole


def test_checkpoint_without_positions(tmp_path, whole, caplog):
    _trained(tmp_path / "parts", 5, saves=False)
    found = _trained(tmp_path / "parts", 5)
    assert found == whole[:5]
    (warning,) = [record.getMessage() for record in caplog.records if "positions" in record.getMessage()]
    assert warning == (
        f"{tmp_path}/parts/model.ckpt-5 has no positions of these iterators, which therefore begin with their first "
        "elements: IteratorV2"
    )
    assert _trained(tmp_path / "parts", 5) == whole[5:10]


def test_sessions_that_do_not_save_positions_ignore_those_of_a_checkpoint(tmp_path, whole):
    _trained(tmp_path / "parts", 5)
    assert _trained(tmp_path / "parts", 5, saves=False) == whole[:5]


def test_another_dataset_is_an_error(tmp_path):
    _trained(tmp_path, 5)
    text = "The iterator cannot continue at the position in the checkpoint, which may be one of another dataset"
    with pytest.raises(tf.errors.DataLossError, match=text):
        _trained(tmp_path, 5, dataset=lambda: tf.data.Dataset.range(30).shuffle(4).batch(2))


def test_a_saver_that_was_built_before_is_an_error(tmp_path):
    def before():
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())

    with pytest.raises(ValueError, match="the saver was built before the session was made"):
        _trained(tmp_path, 1, before=before)


def test_a_saver_of_the_program_that_is_built_later(tmp_path, whole):
    def before():
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver(defer_build=True, max_to_keep=2))

    found = [*_trained(tmp_path / "parts", 5, before=before), *_trained(tmp_path / "parts", 15, before=before)]
    assert found == whole


def test_positions_are_not_restored_by_savers_of_other_programs(tmp_path):
    """An imported graph restores its variables, and its iterators begin with their first elements."""
    first = _trained(tmp_path, 5)[0]
    path = tf.train.latest_checkpoint(str(tmp_path))
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(sess, path)
        assert sess.run("global_step:0") == 5
        sess.run("MakeIterator")
        assert sess.run("IteratorGetNext:0").tolist() == first


class _Loses(tf.train.SessionRunHook):
    """Loses the session once, before a step."""

    def __init__(self, at):
        self._at, self._steps = at, 0

    def before_run(self, run_context):
        self._steps += 1
        if self._steps == self._at:
            raise tf.errors.AbortedError(None, None, "lost")


def test_lost_sessions_go_on_at_the_checkpoint(tmp_path, whole, caplog):
    _trained(tmp_path / "parts", 5)
    found = _trained(tmp_path / "parts", 5, hooks=[_Loses(3)])
    assert found == whole[5:7] + whole[5:8]
    (text,) = [record.getMessage() for record in caplog.records if "was lost" in record.getMessage()]
    assert text.endswith("2 steps are repeated. Handles of the lost session are no longer valid.")


def test_without_a_directory_nothing_is_saved():
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        iterator, _ = _by_tables(_pipeline())
        element = iterator.get_next()
        with tf.train.MonitoredTrainingSession(save_input_state=True) as sess:
            assert sess.run(element).size == 2
        assert not tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)


def test_iterators_of_handles_have_no_position_of_their_own(tmp_path):
    def of_handle(dataset):
        iterator, _ = _by_tables(dataset)
        handle = iterator.string_handle()
        other = tf.data.Iterator.from_string_handle(handle, dataset.output_types, dataset.output_shapes)
        return other, None

    whole = _trained(tmp_path / "whole", 9, of_handle)
    found = _trained(tmp_path / "parts", 4, of_handle) + _trained(tmp_path / "parts", 5, of_handle)
    assert found == whole
    names = [name for name, _ in tf.train.list_variables(str(tmp_path / "parts"))]
    assert sorted(names) == ["IteratorV2/position", "global_step"]
