"""Saves in one way while the disk is recorded, then checks each possible state of the disk at each moment.

  python saves_without_power.py FOLDER WAY [async] [eager] [again] [durable] [there|deep] [simple|text]

Prints the number of moments and states, and how many states were refused. Each way saves a series of numbers, each as
the value of all variables; `told` records with each moment which number must be on the disk and which may be. FOLDER
must not exist.
"""

import logging
import os
import sys
from contextlib import nullcontext

from disk_after_power_loss import Disk, States, states_after

import tinytf as tf
from tinytf._core import testing

_EVERY = 1 if os.environ.get("TINYTF_ALL_LOSSES") else 24  # step between checked moments
_ERRORS = (tf.errors.OpError, ValueError)
_CONFIG = tf.ConfigProto(device_count={"CPU": 2}, inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
root, words = sys.argv[1], sys.argv[2:]
durable, again, later, eager = ("durable" in words, "again" in words, "async" in words, "eager" in words)
folder = f"{root}/saved/below" if "deep" in words else f"{root}/saved"


class _Warnings(logging.Handler):
    """Collects warnings, except those about a folder without a state file."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []
        tf.get_logger().addHandler(self)
        tf.get_logger().propagate = False

    def emit(self, record):
        if "no state file" not in record.getMessage():
            self.texts.append(record.getMessage())


def _variables():
    zeros = tf.zeros_initializer()
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [3], initializer=zeros, use_resource=eager)
    with tf.device("/cpu:0" if eager else "/cpu:1"):
        w = tf.get_variable("w", [3], initializer=zeros, use_resource=eager)
    return [v, w]


warnings = _Warnings()


class _Way:
    """A way of saving with variables in a session or in eager execution."""

    nobodys = ()
    numbers = range(1, 5)

    def __init__(self):
        self.variables = _variables()
        self.make()
        self.sess = None if eager else tf.Session(config=_CONFIG)
        if self.sess is not None:
            self.sess.run(tf.global_variables_initializer())

    def fill(self, number):
        for variable in self.variables:
            if eager:
                variable.assign([float(number)] * 3)
            else:
                variable.load([number] * 3, self.sess)

    def number(self):
        """The number that all elements of all variables have."""
        arrays = [variable.numpy() for variable in self.variables] if eager else self.sess.run(self.variables)
        [number] = {int(x) for array in arrays for x in array}
        return number

    def looked_at(self, state):
        """The part of a disk state that is relevant."""
        return state

    def save_all(self, tell):
        for number in self.numbers:
            self.fill(number)
            tell((number - 1, number))
            self.save(number)
            tell((number, number))


class _Saver(_Way):
    def make(self):
        version = tf.train.SaverDef.V1 if "early" in words else tf.train.SaverDef.V2
        self.saver = tf.train.Saver(
            self.variables,
            max_to_keep=2,
            sharded="sharded" in words,
            durable=durable,
            write_version=version,
            async_save=later,
        )

    def save(self, number):
        self.saver.save(self.sess, f"{folder}/m", None if again else number)

    def save_all(self, tell):
        if not later:
            return super().save_all(tell)
        there = 0
        for number in self.numbers:
            self.fill(number)
            tell((there, number))
            self.save(number)  # waits for the previous save
            there = number - 1
            tell((there, number))
            self.fill(100 + number)  # a value that must not be saved
            if number % 2 == 0:
                self.saver.wait()
                there = number
                tell((there, number))
        return None

    def restored(self, state):
        """The restored number; 0 if there is no checkpoint."""
        found = self.saver.restore_latest(self.sess, folder)
        if found is None:
            return 0
        if durable:
            latest = tf.train.latest_checkpoint(folder)
            if latest is None:
                warnings.texts.append("there is no latest checkpoint")
            elif f"{os.path.relpath(folder, root)}/checkpoint" in state:  # the graph exists, too
                self.saver.restore(self.sess, latest)
                if not eager:
                    name = os.path.relpath(latest, root).partition("-?")[0]
                    assert tf.MetaGraphDef.FromString(state[f"{name}.meta"]).graph_def.node
        return self.number()


class _Monitored(_Saver):
    """Steps of a training; each adds 1 to the variables, which start at 1."""

    nobodys = ("events.out.", "graph.pbtxt")

    def make(self):
        tf.train.get_or_create_global_step()
        self.step = tf.group(
            *[v.assign_add([1.0] * 3) for v in self.variables], tf.train.get_global_step().assign_add(1)
        )

    def save_all(self, tell):
        options = {"save_summaries_steps": None, "log_step_count_steps": None, "config": _CONFIG}
        tell((0, 1))
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, save_checkpoint_steps=1, async_save=later, durable=durable, **options
        ) as sess:
            for number in self.numbers:
                tell((number - 1 if later else number, number + 1))
                sess.run(self.step)
        tell((5, 5))
        [self.saver] = tf.get_collection("savers")

    def number(self):
        return super().number() + 1


class _Objects(_Way):
    def make(self):
        self.checkpoint = tf.train.Checkpoint(v=self.variables[0], w=self.variables[1])

    def save(self, number):
        if again:
            self.checkpoint.write(f"{folder}/m", self.sess, durable=durable)
        else:
            self.checkpoint.save(f"{folder}/m", self.sess, durable=durable)

    def latest(self, state):
        if not again:
            return tf.train.latest_checkpoint(folder)
        return f"{folder}/m" if f"{os.path.relpath(folder, root)}/m.index" in state else None

    def restored(self, state):
        latest = self.latest(state)
        if latest is None:
            return 0
        status = self.checkpoint.restore(latest)
        status.assert_nontrivial_match()
        if self.sess is not None:
            status.run_restore_ops(self.sess)
        return self.number()


class _Manager(_Objects):
    def make(self):
        super().make()
        self.manager = tf.train.CheckpointManager(self.checkpoint, folder, max_to_keep=2, durable=durable)

    def save(self, number):
        with nullcontext() if self.sess is None else self.sess.as_default():
            self.manager.save()

    def latest(self, state):
        return tf.train.CheckpointManager(self.checkpoint, folder, max_to_keep=2).latest_checkpoint


class _Models(_Way):
    """Models, each in its own folder, with two graphs and an asset."""

    numbers = range(1, 3)

    def looked_at(self, state):
        """Only folders that contain the model file are relevant, because no other is loaded."""
        models = {
            path.rpartition("/")[0] + "/" for path in state if path.endswith(("/saved_model.pb", "/saved_model.pbtxt"))
        }
        return {path: content for path, content in state.items() if content is None or path.startswith(tuple(models))}

    def make(self):
        self.asset = f"{root}.asset"
        with open(self.asset, "w") as file:
            file.write("words " * 100)
        name = tf.constant(self.asset, name="file")
        tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, name)
        x = tf.placeholder_with_default(0.0, [], name="x")
        self.tensors = {"x": x}, {"y": self.variables[0] + self.variables[1] + x, "text": tf.read_file(name)}
        self.signature = tf.saved_model.predict_signature_def(*self.tensors)

    def save(self, number):
        export = f"{folder}/{number}"
        if "simple" in words:
            tf.saved_model.simple_save(self.sess, export, *self.tensors)
            return
        builder = tf.saved_model.Builder(export)
        settings = {"assets_collection": tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)}
        settings["signature_def_map"] = {"serving_default": self.signature}
        saver = tf.train.Saver(self.variables, async_save=True) if later else None
        builder.add_meta_graph_and_variables(self.sess, ["one"], saver=saver, **settings)
        builder.add_meta_graph(["serve"], signature_def_map={"serving_default": self.signature})
        builder.save(as_text="text" in words)

    def restored(self, state):
        """The number of complete models."""
        there = [number for number in self.numbers if self._is_model(f"{folder}/{number}")]
        assert there == list(range(1, len(there) + 1)), there
        return len(there)

    def _is_model(self, export):
        with tf.Graph().as_default(), tf.Session(config=_CONFIG) as sess:
            if not tf.saved_model.contains_saved_model(export):
                return False
            number = int(os.path.basename(export))
            tags = [["serve"]] if "simple" in words else [["one"], ["serve"]]
            for place, tag in enumerate(tags):
                model = tf.saved_model.load(sess, tag, export, import_scope=f"m{place}")
                outputs = model.signature_def["serving_default"].outputs
                assert sess.run(f"m{place}/{outputs['y'].name}").tolist() == [2.0 * number] * 3
            assets = f"{export}/assets"
            if "simple" not in words:
                assert [open(f"{assets}/{name}").read() for name in os.listdir(assets)] == ["words " * 100]
            return True


_WAYS = {
    "plain": _Saver,
    "sharded": _Saver,
    "early": _Saver,
    "monitored": _Monitored,
    "objects": _Objects,
    "manager": _Manager,
    "models": _Models,
}


def _watched(way):
    """The recorded moments of the saves."""
    disk = Disk(root, f"{root}.aside", way.nobodys)
    disk.watch(testing.watch_file_changes)
    disk.tell((0, 0))
    try:
        way.save_all(disk.tell)
    finally:
        testing.watch_file_changes(None)
        disk.end()
    return disk.moments


def _outcome(way, state):
    """The number restored from a disk state, None if it is refused; and the warnings."""
    del warnings.texts[:]
    try:
        return way.restored(state), list(warnings.texts)
    except _ERRORS:
        if durable:
            raise
        return None, []


def main():
    os.makedirs(folder if "there" in words else root)
    os.mkdir(f"{root}.aside")
    with tf.EagerSession() if eager else nullcontext():
        way = _WAYS[words[0]]()
        moments = _watched(way)
        states, outcomes = States(root), {}
        for moment in moments if durable else moments[::_EVERY]:
            there, begun = moment.told
            for state in map(way.looked_at, states_after(moment)):
                key = frozenset(state.items())
                if key not in outcomes:
                    states.write(state)
                    outcomes[key] = _outcome(way, state)
                number, texts = outcomes[key]
                about = moment.told, number, sorted(state), texts
                assert number is None or (there if durable else 0) <= number <= begun, about
                assert not durable or not texts or there == 0, about
    print(len(moments), len(outcomes), sum(number is None for number, _ in outcomes.values()))


main()
