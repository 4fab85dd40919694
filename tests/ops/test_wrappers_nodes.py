"""The names, types and order of nodes made by wrappers, on which default seeds and saved graphs depend."""

import pytest

import tinytf as tf

# Maps calls to their nodes; a node is its name, followed by a colon and its op type if the name does not imply it.
NODES = {
    "tf.zeros([2, 3])": "zeros:Const",
    "tf.zeros([200, 300])": "zeros/shape_as_tensor:Const zeros/Const zeros:Fill",
    "tf.zeros([s, 2])": "zeros/mul/y:Const zeros/mul zeros/Less/y:Const zeros/Less zeros/packed/1:Const "
    "zeros/packed:Pack zeros/Const zeros:Fill",
    "tf.zeros(s)": "zeros/Reshape/shape:Const zeros/Reshape zeros/Const zeros:Fill",
    "tf.ones([2], name='o')": "o:Const",
    "tf.zeros_like(x)": "zeros_like:Const",
    "tf.zeros_like(u)": "zeros_like:ZerosLike",
    "tf.ones_like(u)": "ones_like/Shape ones_like/Const ones_like:Fill",
    "tf.shape(x)": "Shape:Const",
    "tf.shape(u)": "Shape",
    "tf.size(x)": "Size:Const",
    "tf.rank(u)": "Rank:Const",
    "tf.concat([x, x], 0)": "concat/axis:Const concat:ConcatV2",
    "tf.concat([x], 0)": "concat/concat_dim:Const concat/concat:Identity",
    "tf.stack([1, 2])": "stack:Const",
    "tf.stack([x, x])": "stack:Pack",
    "tf.stack([s, 2])": "stack/1:Const stack:Pack",
    "tf.unstack(x)": "unstack:Unpack",
    "tf.split(x, 3, 1)": "Const split/split_dim:Const split",
    "tf.split(x, [1, 2], 1)": "Const split/split_dim:Const split:SplitV",
    "tf.one_hot([1], 3)": "one_hot/on_value:Const one_hot/off_value:Const one_hot/indices:Const one_hot/depth:Const "
    "one_hot:OneHot",
    "tf.transpose(x)": "transpose/perm:Const transpose",
    "tf.expand_dims(x, 0)": "ExpandDims/dim:Const ExpandDims",
    "tf.add(x, 1.)": "Add/y:Const Add",
    "tf.truediv(x, 2.)": "truediv/y:Const truediv:RealDiv",
    "tf.cast(x, tf.int32)": "Cast",
    "tf.cast(x, tf.float32)": "",
    "tf.range(5)": "range/start:Const range/limit:Const range/delta:Const range",
    "tf.matmul(x, x, transpose_b=True)": "MatMul",
    "tf.matmul(t, t, transpose_b=True)": "MatMul:BatchMatMulV2",
    "tf.clip_by_value(x, 0., 1.)": "clip_by_value/Minimum/y:Const clip_by_value/Minimum clip_by_value/y:Const "
    "clip_by_value:Maximum",
    "tf.global_norm([x])": "global_norm/L2Loss global_norm/stack:Pack global_norm/Const global_norm/Sum "
    "global_norm/Const_1 global_norm/mul:Mul global_norm/global_norm:Sqrt",
    "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=x)": (
        "SparseSoftmaxCrossEntropyWithLogits/Const SparseSoftmaxCrossEntropyWithLogits/Shape:Const "
        "SparseSoftmaxCrossEntropyWithLogits/SparseSoftmaxCrossEntropyWithLogits"
    ),
    "tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=x)": "logistic_loss/zeros_like:Const "
    "logistic_loss/GreaterEqual logistic_loss/Select logistic_loss/Neg logistic_loss/Select_1 logistic_loss/mul:Mul "
    "logistic_loss/sub:Sub logistic_loss/Exp logistic_loss/Log1p logistic_loss:Add",
    "tf.nn.dropout(x, 0.5)": "dropout/rate:Const dropout/Shape:Const dropout/random_uniform/min:Const "
    "dropout/random_uniform/max:Const dropout/random_uniform/RandomUniform dropout/random_uniform/sub:Sub "
    "dropout/random_uniform/mul:Mul dropout/random_uniform:Add dropout/sub/x:Const dropout/sub:Sub "
    "dropout/truediv/x:Const dropout/truediv:RealDiv dropout/GreaterEqual dropout/mul:Mul dropout/Cast "
    "dropout/mul_1:Mul",
    "tf.nn.moments(x, [0])": "moments/mean/reduction_indices:Const moments/mean:Mean moments/StopGradient "
    "moments/SquaredDifference moments/variance/reduction_indices:Const moments/variance:Mean moments/Squeeze "
    "moments/Squeeze_1",
    "tf.nn.batch_normalization(x, x, x, x, x, 1e-3)": "batchnorm/add/y:Const batchnorm/add:AddV2 batchnorm/Rsqrt "
    "batchnorm/mul:Mul batchnorm/mul_1:Mul batchnorm/mul_2:Mul batchnorm/sub:Sub batchnorm/add_1:AddV2",
    "tf.nn.embedding_lookup(x, [1])": "embedding_lookup/ids:Const embedding_lookup/axis:Const "
    "embedding_lookup:GatherV2 embedding_lookup/Identity",
    "tf.random_uniform([2])": "random_uniform/shape:Const random_uniform/min:Const random_uniform/max:Const "
    "random_uniform/RandomUniform random_uniform/sub:Sub random_uniform/mul:Mul random_uniform:Add",
    "tf.random_uniform([2], 0, 9, tf.int32)": "random_uniform/shape:Const random_uniform/min:Const "
    "random_uniform/max:Const random_uniform:RandomUniformInt",
    "tf.truncated_normal([2], stddev=.1, name='tn')": "tn/shape:Const tn/mean:Const tn/stddev:Const tn/TruncatedNormal "
    "tn/mul:Mul tn:Add",
    "tf.multinomial(x, 3)": "multinomial/Multinomial/num_samples:Const multinomial/Multinomial",
    "tf.group(x, s)": "group_deps:NoOp",
    "tf.tuple([x])": "tuple/group_deps:NoOp tuple/control_dependency:Identity",
    "tf.assert_rank(x, 2)": "assert_rank/rank:Const assert_rank/Shape:Const "
    "assert_rank/assert_type/statically_determined_correct_type:NoOp assert_rank/static_checks_determined_all_ok:NoOp",
    "tf.nn.depthwise_conv2d(image, tf.ones([3, 3, 3, 2]), [1, 1, 1, 1], 'SAME')": "ones:Const depthwise/Shape:Const "
    "depthwise/dilation_rate:Const depthwise:DepthwiseConv2dNative",
    "tf.nn.max_pool(image, 2, 2, 'VALID', name='pool1')": "pool1:MaxPool",
    "tf.nn.bias_add(x, [1., 2., 3.])": "BiasAdd/bias:Const BiasAdd",
}


@pytest.mark.parametrize("call", NODES)
def test_nodes_of(call):
    names = {
        "tf": tf,
        "x": tf.placeholder(tf.float32, [2, 3]),
        "u": tf.placeholder(tf.float32, [None, 3]),
        "s": tf.placeholder(tf.int32, []),
        "t": tf.placeholder(tf.float32, [2, 3, 4]),
        "image": tf.placeholder(tf.float32, [1, 8, 8, 3]),
    }
    graph = tf.get_default_graph()
    before = len(graph.get_operations())
    eval(call, names)
    found = [(op.name, op.type) for op in graph.get_operations()[before:]]
    assert found == [_node(text) for text in NODES[call].split()]


def _node(text):
    """A node of the table: without a type, the op type is the last part of the name without its number."""
    name, _, kind = text.partition(":")
    if kind:
        return name, kind
    plain = name.rsplit("/", 1)[-1]
    stem, _, number = plain.rpartition("_")
    plain = stem if number.isdigit() else plain
    return name, plain[0].upper() + plain[1:]
