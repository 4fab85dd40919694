"""Queues. One call per program."""


def fifoqueue(tf):
    q = tf.FIFOQueue(3, tf.float32)
    q.dequeue()


def fifoqueue_2(tf):
    q = tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[], [2]], names=["a", "b"])
    q.enqueue({"a": 1.0, "b": [1, 2]})
    _ = q.dequeue_many(2)["b"]


def randomshufflequeue(tf):
    q = tf.RandomShuffleQueue(3, 1, tf.float32, shapes=[])
    q.dequeue_up_to(2)


def paddingfifoqueue(tf):
    q = tf.PaddingFIFOQueue(3, tf.float32, shapes=[[None]])
    q.size()


def priorityqueue(tf):
    q = tf.PriorityQueue(3, tf.float32, shapes=[[]])
    q.enqueue_many([[1, 2], [1.0, 2.0]])


def fifoqueue_3(tf):
    a = tf.constant(1.0)
    with tf.control_dependencies([a]):
        q = tf.FIFOQueue(3, tf.float32)
    q.close()


def fifoqueue_4(tf):
    with tf.device("/job:worker/task:1"):
        q = tf.FIFOQueue(3, tf.float32)
        q.is_closed()
