"""`Graph._repr_html_` is well-formed, self-contained and bounded, and escapes names."""

from html.parser import HTMLParser

import numpy as np
import pytest

import tinytf as tf

LIMIT = 200_000


class _Page(HTMLParser):
    """Checks that tags are nested correctly; collects text, summaries and rows."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.summaries, self.rows = [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)
        if tag == "summary":
            self.summaries.append("")
        elif tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)
        if "summary" in self.open:
            self.summaries[-1] += data
        elif "td" in self.open:
            self.rows[-1][-1] += data


def _page():
    text = tf.get_default_graph()._repr_html_()
    assert len(text.encode()) <= LIMIT
    page = _Page(text)
    assert {tag for tag, _ in page.tags} <= {
        "div",
        "style",
        "b",
        "small",
        "details",
        "summary",
        "table",
        "tr",
        "td",
        "br",
    }
    return page


def test_operations_are_shown_by_scope():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.name_scope("layer"):
        w = tf.Variable(np.ones([3, 2], np.float32), name="w")
        with tf.control_dependencies([w.initializer]):
            tf.matmul(x, w, name="product")
        tf.split(w, 2, axis=1, name="halves")
    page = _page()
    assert "".join(page.text).partition("}Graph: ")[2].startswith("9 operations (Const × 3, ")
    assert page.summaries[0].startswith("layer 8 operations (Const × 3, ")
    assert page.summaries[1].startswith("w 3 operations (")
    assert ["x", "Placeholder", "float (?, 3)", ""] in page.rows
    assert ["product", "MatMul", "float (?, 2)", "x, layer/w/read, ^layer/w/Assign"] in page.rows
    assert ["halves", "Split", "float (3, 1)float (3, 1)", "layer/halves/split_dim, layer/w/read"] in page.rows
    assert ("details", {"open": None}) in page.tags


def test_an_empty_and_a_finalized_graph():
    assert "".join(_page().text).endswith("Graph: 0 operations")
    tf.no_op(name="only")
    tf.get_default_graph().finalize()
    assert "Graph: 1 operation, finalized (NoOp)" in "".join(_page().text)


def test_names_and_types_are_escaped():
    graph = tf.get_default_graph()
    tf.no_op(name="plain")
    graph.get_operation_by_name("plain")._name = "<script>alert(1)</script>/&<b>"  # an invalid name, to test escaping
    page = _page()
    assert page.summaries[0].startswith("<script>alert(1)<")


def test_long_lists_of_inputs_and_outputs_are_cut():
    tf.add_n(tf.unstack(tf.zeros([30, 2]), name="parts"), name="total")
    rows = {row[0]: row for row in _page().rows}
    assert rows["total"][3] == "parts, " + ", ".join(f"parts:{i}" for i in range(1, 8)) + ", … 22 more"
    assert rows["parts"][2] == "float (2,)" * 8 + "… 22 more"


@pytest.mark.parametrize("scopes", [1, 10, 200, 5000])
def test_large_graphs_are_cut_and_closed(scopes):
    y = tf.constant(1.0)
    for i in range(scopes):
        with tf.name_scope(f"part_{i}"):
            for _ in range(10_000 // scopes):
                y = tf.negative(y, name="a_rather_long_name_as_they_are_in_real_programs")
    page = _page()
    assert "10001 operations" in "".join(page.text)
    assert ("details", {"open": None}) not in page.tags
    assert any("more" in text for text in page.text)
    shown = [row for row in page.rows if len(row) == 4]
    hidden = sum(int(row[0].split()[1]) for row in page.rows if len(row) == 1)
    last = page.summaries[-1].split()
    hidden += int(last[4]) if last[0] == "…" else 0
    assert len(shown) + hidden == 10_001
    assert len(shown) > 50


def test_deep_scopes_are_flattened():
    with tf.name_scope("/".join(["a"] * 3000) + "/"):
        tf.no_op(name="deep")
    page = _page()
    assert len(page.summaries) == 30
    assert page.rows[0][0].endswith("a/a/deep")
