"""`tf.contrib.summary`: ops that write events in steps."""


def writer(tf):
    summary = tf.contrib.summary
    made = summary.create_file_writer("logs", max_queue=3, flush_millis=5, filename_suffix=".s", name="w")
    made.init()
    made.flush()
    made.close()
    summary.create_file_writer("logs/other")
    summary.create_file_writer(tf.constant("logs"))
    summary.summary_writer_initializer_op()


def always(tf):
    summary = tf.contrib.summary
    tf.train.create_global_step()
    writer = summary.create_file_writer("logs")
    with writer.as_default(), summary.always_record_summaries():
        summary.scalar("a", 1.0)
        summary.scalar("a", 2, family="f")
        summary.scalar("s", tf.constant(1.0), step=tf.constant(7, tf.int64))
        summary.histogram("h", [1.0, 2.0])
        summary.generic("g", [1, 2])
        summary.generic("g", ["a"], metadata=tf.SummaryMetadata(display_name="d"))
        summary.image("i", tf.zeros([1, 2, 2, 3]))
        summary.image("i", tf.zeros([1, 2, 2, 3]), bad_color=[1, 2, 3], max_images=1)
        summary.audio("u", [[0.5]], 8000, 1)
        summary.import_event(b"")
        summary.graph(tf.constant(b""))
        summary.graph(tf.constant(b""), step=3, name="told")
        summary.flush()
        summary.flush(name="now")
    summary.flush(writer)


def sometimes(tf):
    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    writer = summary.create_file_writer("logs")
    with writer.as_default(), summary.record_summaries_every_n_global_steps(3):
        summary.scalar("a", 1.0)
    with writer.as_default(), summary.record_summaries_every_n_global_steps(2, step):
        summary.scalar("b", 1.0)
    with writer.as_default(), summary.never_record_summaries():
        summary.scalar("c", 1.0)
    with writer.as_default():
        summary.scalar("d", 1.0)


def nobody(tf):
    summary = tf.contrib.summary
    summary.scalar("a", 1.0)
    summary.graph(tf.constant(b""))
    summary.flush()
    with summary.create_file_writer(None).as_default(), summary.always_record_summaries():
        summary.scalar("b", 1.0)
