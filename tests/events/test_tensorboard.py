"""TensorBoard shows the data that a program wrote; it is queried over HTTP."""

import json
import subprocess
import urllib.parse
import urllib.request

import numpy as np
import pytest

import tinytf as tf
from tinytf.contrib.tensorboard.plugins import projector

pytestmark = pytest.mark.oracle

_SERVER = """
import sys
from tensorboard import default, program
board = program.TensorBoard(default.get_plugins() + default.get_dynamic_plugins())
board.configure(
    argv=["tensorboard", "--logdir", sys.argv[1], "--host", "127.0.0.1", "--port", "0", "--reload_interval", "0"]
)
print(board.launch())
sys.stdout.flush()
sys.stdin.read()  # until the test closes it
"""
_SAMPLES = np.sin(np.arange(800, dtype=np.float32) / 10).reshape(1, 800, 1)
_IMAGE = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(1, 2, 3, 3)
_POINTS = np.arange(8, dtype=np.float32).reshape(4, 2)


def _write(folder):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.multiply(x, 2.0, name="layer/y")
    points = tf.get_variable("points", initializer=_POINTS)
    merged = tf.summary.merge(
        [
            tf.summary.scalar("loss", y),
            tf.summary.histogram("values", y * tf.linspace(0.0, 1.0, 101)),
            tf.summary.image("picture", _IMAGE),
            tf.summary.audio("sound", _SAMPLES, 8000),
            tf.summary.text("words", tf.constant("*some* text")),
        ]
    )
    with tf.Session() as sess, tf.summary.FileWriter(folder, sess.graph) as writer:
        sess.run(points.initializer)
        for step in range(5):
            writer.add_summary(sess.run(merged, {x: float(step)}), step)
        tf.train.Saver().save(sess, f"{folder}/m")
        config = projector.ProjectorConfig()
        config.embeddings.add(tensor_name="points", metadata_path="names.tsv")
        projector.visualize_embeddings(writer, config)
    with open(f"{folder}/names.tsv", "w") as names:
        names.write("a\nb\nc\nd\n")


class _Board:
    def __init__(self, url):
        self._url = url
        self._ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def bytes(self, path, **query):
        """The answer to `data/PATH`, or to the path that an answer refers to."""
        with self._ask(f"{self._url}data/{path}?{urllib.parse.urlencode(query)}", timeout=60) as answer:
            return answer.read()

    def plugin(self, path, **query):
        return json.loads(self.bytes(f"plugin/{path}", **query))


@pytest.fixture(scope="module")
def board(oracle1, tmp_path_factory):
    """A server on the loopback interface running the TensorBoard of TensorFlow 1.15."""
    python = oracle1("import sys; result = sys.executable")
    folder = str(tmp_path_factory.mktemp("log"))
    with tf.Graph().as_default():
        _write(folder)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([python, "-c", _SERVER, folder], text=True, **pipes) as server:
        yield _Board(server.stdout.readline().strip())
        server.stdin.close()


def test_runs(board):
    assert json.loads(board.bytes("runs")) == ["."]


def test_scalars(board):
    assert board.plugin("scalars/tags") == {".": {"loss": {"displayName": "loss", "description": ""}}}
    points = board.plugin("scalars/scalars", run=".", tag="loss")
    assert [point[1:] for point in points] == [[step, 2.0 * step] for step in range(5)]


def test_histograms(board):
    assert list(board.plugin("histograms/tags")["."]) == ["values"]
    _, step, buckets = board.plugin("histograms/histograms", run=".", tag="values")[-1]
    assert step == 4
    assert sum(count for _, _, count in buckets) == 101
    assert (buckets[0][0], buckets[-1][1]) == (0, 8)


def test_images(board):
    (tag,) = board.plugin("images/tags")["."]
    images = board.plugin("images/images", run=".", tag=tag, sample=0)
    assert [(image["step"], image["width"], image["height"]) for image in images] == [(s, 3, 2) for s in range(5)]
    query = dict(urllib.parse.parse_qsl(images[0]["query"]))
    png = board.bytes("plugin/images/individualImage", **query)
    assert png.startswith(b"\x89PNG")


def test_sounds(board):
    (tag,) = board.plugin("audio/tags")["."]
    sounds = board.plugin("audio/audio", run=".", tag=tag, sample=0)
    assert [(sound["step"], sound["contentType"]) for sound in sounds] == [(s, "audio/wav") for s in range(5)]
    query = dict(urllib.parse.parse_qsl(sounds[0]["query"]))
    assert board.bytes("plugin/audio/individualAudio", **query)[:4] == b"RIFF"


def test_texts(board):
    assert board.plugin("text/tags") == {".": ["words"]}
    texts = board.plugin("text/text", run=".", tag="words")
    assert [text["step"] for text in texts] == list(range(5))
    assert "<em>some</em> text" in texts[0]["text"]


def test_the_graph(board):
    assert board.plugin("graphs/info")["."]["run_graph"]
    text = board.bytes("plugin/graphs/graph", run=".").decode()
    assert 'name: "layer/y"' in text and 'op: "Mul"' in text and "_output_shapes" in text


def test_points_of_a_checkpoint(board):
    (shown,) = board.plugin("projector/info", run=".")["embeddings"]
    assert (shown["tensorName"], shown["tensorShape"], shown["metadataPath"]) == ("points", [4, 2], "names.tsv")
    found = np.frombuffer(board.bytes("plugin/projector/tensor", run=".", name="points"), np.float32)
    assert found.tolist() == _POINTS.ravel().tolist()
    assert board.bytes("plugin/projector/metadata", run=".", name="points") == b"a\nb\nc\nd\n"
