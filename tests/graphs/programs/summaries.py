"""Summaries: names, tags, families, collections."""


def scalars(tf):
    tf.summary.scalar("a", 1.0)
    tf.summary.scalar("a", tf.constant(2))
    tf.summary.scalar("a b!c", tf.placeholder(tf.float64, []))
    tf.summary.scalar("/d", 1.5)
    with tf.name_scope("sc"):
        tf.summary.scalar("a_b", 1.0)
        tf.summary.scalar("x/y", 1.0, family="fam")
        tf.summary.scalar("x/y", 1.0, family="fa m")
    tf.summary.scalar("v", tf.get_variable("w", []))


def collections(tf):
    tf.summary.scalar("a", 1.0, collections=["one", "two"])
    tf.summary.histogram("h", [1.0], collections=[])
    tf.summary.scalar("b", 1.0)
    tf.summary.merge_all("one")
    tf.summary.merge_all(name="all")


def histograms(tf):
    tf.summary.histogram("h", [1, 2])
    tf.summary.histogram("h", tf.constant([1.0, 2.0]), family="f")
    tf.summary.histogram("flags", True)


def images(tf):
    tf.summary.image("i", tf.zeros([2, 3, 4, 3]))
    tf.summary.image("i", tf.zeros([2, 3, 4, 3], tf.uint8), max_outputs=1, family="f")


def sounds(tf):
    tf.summary.audio("a", [[0.5]], 44100)
    tf.summary.audio("a", tf.zeros([1, 2, 3]), tf.constant(8000.0), max_outputs=7, family="f")


def texts_and_tensors(tf):
    tf.summary.text("t", tf.constant("text"))
    tf.summary.text("t", tf.constant(["a", "b"]), collections=["texts"])
    tf.summary.tensor_summary("n", 1)
    tf.summary.tensor_summary("n", [[True]], "described", None, None, "f", "displayed")
    metadata = tf.SummaryMetadata(display_name="given", summary_description="kept")
    tf.summary.tensor_summary("m", 1.0, summary_metadata=metadata, display_name="replaced")


def merges(tf):
    a, b = tf.summary.scalar("a", 1.0), tf.summary.histogram("b", [1.0])
    tf.summary.merge([a, b])
    tf.summary.merge([a], collections=["merged"])
    tf.summary.merge([a], name="mine")
    with tf.name_scope("x"):
        tf.summary.scalar("c", 1.0)
    tf.summary.merge_all(scope="x")
    tf.summary.merge_all(scope="nothing")
    tf.summary.merge_all()


def summaries_of_branches(tf):
    def branch():
        tf.summary.scalar("inside", 1.0, collections=[tf.GraphKeys._SUMMARY_COLLECTION])
        return tf.constant(1.0)

    tf.cond(tf.placeholder(tf.bool, []), branch, lambda: tf.constant(2.0))
    tf.summary.merge_all()
