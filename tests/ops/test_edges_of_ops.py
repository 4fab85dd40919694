"""Ops at the edges of their domain: crossed bounds, mismatched shapes, invalid rates."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.errors import errors

_R = tf.raw_ops


@pytest.fixture
def run():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session.run


@pytest.mark.parametrize("low", [7.0, [7.0] * 4])
@pytest.mark.parametrize("high", [3.0, [3.0] * 4])
def test_clip_with_crossed_bounds(run, low, high):
    clipped = _R.ClipByValue(t=[0.0, 5.0, 10.0, np.nan], clip_value_min=low, clip_value_max=high)
    np.testing.assert_array_equal(run(clipped), [7, 7, 7, np.nan])


def test_clip_with_bounds_that_are_no_numbers(run):
    t = [0.0, 5.0, 10.0, np.nan]
    low = _R.ClipByValue(t=t, clip_value_min=np.float32(np.nan), clip_value_max=3.0)
    high = _R.ClipByValue(t=t, clip_value_min=1.0, clip_value_max=np.float32(np.nan))
    np.testing.assert_array_equal(run(low), [0, 3, 3, np.nan])
    np.testing.assert_array_equal(run(high), [1, 5, 10, np.nan])


@pytest.mark.parametrize("op", ["InvGrad", "ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad"])
def test_gradients_do_not_broadcast(run, op):
    y, dy = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    grad = getattr(_R, op)(y=y, dy=dy)
    with pytest.raises(errors.InvalidArgumentError, match="must have same number of elements, got 1 and 2"):
        run(grad, {y: [[1.0]], dy: [[1.0, 2.0]]})
    with pytest.raises(errors.InvalidArgumentError, match="must have same number of elements, got 2 and 1"):
        run(grad, {y: [1.0, 2.0], dy: 1.0})
    fitting = getattr(_R, op)(y=tf.constant([0.5, 2.0]), dy=tf.constant([[1.0, 2.0]]))
    assert fitting.shape.as_list() == [2] == list(run(fitting).shape)


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_abs_of_small_integers(run, dtype):
    lowest = np.iinfo(dtype).min
    np.testing.assert_array_equal(run(tf.abs(np.array([-3, 4, lowest], dtype))), np.array([3, 4, lowest], dtype))


def test_leaky_relu_rounds_its_slope(run):
    x = tf.constant([-3.0, -7.0, 2.0], tf.float16)
    slope = np.float16(0.2)
    np.testing.assert_array_equal(
        run(tf.nn.leaky_relu(x, 0.2)), np.float16([-3, -7, 2]) * np.array([slope, slope, 1], np.float16)
    )
    grad = _R.LeakyReluGrad(gradients=tf.ones([3], tf.float16), features=x, alpha=0.2)
    np.testing.assert_array_equal(run(grad), [slope, slope, 1])


_FTRL = {"lr": 0.1, "l1": 0.1, "l2": 0.1, "lr_power": -0.5}
_BOUNDED = {
    "Ftrl": (["accum", "linear"], _FTRL),
    "FtrlV2": (["accum", "linear"], {**_FTRL, "l2_shrinkage": 0.1}),
    "ProximalAdagrad": (["accum"], {"lr": 0.1, "l1": 0.1, "l2": 0.1}),
}
_TEXTS = {
    "lr": ((0.0, -1.0), "lr is not a positive scalar"),
    "l1": ((-1.0,), "l1 regularization strength is not a non-negative scalar"),
    "l2": ((-1.0,), "l2 regularization strength is not a non-negative scalar"),
    "l2_shrinkage": ((-1.0,), "l2 shrinkage regularization strength is not a non-negative scalar"),
    "lr_power": ((1.0,), "lr_power is not a non-positive scalar"),
}


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("resource", [False, True], ids=["reference", "resource"])
@pytest.mark.parametrize("name", list(_BOUNDED))
def test_optimizers_refuse_rates_that_make_no_sense(run, name, resource, sparse):
    slots, scalars = _BOUNDED[name]

    def variable():
        made = tf.Variable([[1.0]], use_resource=resource)
        run(made.initializer)
        return made.handle if resource else made._ref()

    op = getattr(_R, f"{'Resource' * resource}{'Sparse' * sparse}Apply{name}")
    inputs = {"var": variable(), **{slot: variable() for slot in slots}, "grad": tf.constant([[1.0]])}
    if sparse:
        inputs["indices"] = [0]
    run(op(**inputs, **scalars))
    for scalar in scalars:
        values, text = _TEXTS[scalar]
        for value in (*values, np.nan):
            with pytest.raises(errors.InvalidArgumentError, match=text):
                run(op(**inputs, **{**scalars, scalar: np.float32(value)}))


def test_ftrl_where_linear_is_no_number(run):
    variables = [tf.Variable([value]) for value in (1.0, 1.0, np.float32(np.nan))]
    run([v.initializer for v in variables])
    refs = dict(zip(("var", "accum", "linear"), (v._ref() for v in variables), strict=True))
    np.testing.assert_array_equal(run(_R.ApplyFtrl(**refs, grad=[1.0], **_FTRL)), [0])


@pytest.mark.parametrize("axis", [0, [[0]]])
def test_axes_to_reverse_are_a_vector(run, axis):
    text, fed = "'dims' must be 1-dimension, not", tf.placeholder(tf.int32)
    with pytest.raises(errors.InvalidArgumentError, match=text):
        run(_R.ReverseV2(tensor=[1.0, 2.0], axis=fed), {fed: axis})
    with tf.EagerSession(), pytest.raises(errors.InvalidArgumentError, match=text):
        _R.ReverseV2(tensor=[1.0, 2.0], axis=tf.constant(axis))


def test_format_with_too_few_placeholders():
    text = "num placeholders in template and num inputs must match: 1 vs. 2"
    with tf.EagerSession(), pytest.raises(errors.InvalidArgumentError, match=text):
        _R.StringFormat(inputs=[tf.constant(1.0), tf.constant(2.0)], template="%s")


@pytest.mark.parametrize("attr", ["precision", "width"])
def test_text_of_numbers_has_bounds(attr):
    with tf.EagerSession():
        longest = _R.AsString(input=tf.constant([1.5]), **{attr: 65536}).numpy()[0]
        assert float(longest) == 1.5 and len(longest) >= 65536
        for size in (65537, 10**8, 2**31 - 1, 2**40, 2**63 - 1):
            with pytest.raises(errors.InvalidArgumentError, match=f"{attr} of {size} is more than"):
                _R.AsString(input=tf.constant([1.5]), **{attr: size})


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floor_mod_of_small_and_infinite_numbers(run, dtype):
    x = np.array([-1e-30, 1e-30, -1, 1, -1, 1, -0.9, np.inf, np.nan, 5, -5], dtype)
    y = np.array([0.9, -0.9, np.inf, np.inf, -np.inf, -np.inf, 0.9, 1, 1, 0, 0], dtype)
    expected = np.array([0.9, -0.9, np.inf, 1, -1, -np.inf, 0, np.nan, np.nan, np.nan, np.nan], dtype)
    for fed in (x, np.tile(x, 32)):
        got = run(_R.FloorMod(x=fed, y=np.tile(y, fed.size // y.size)))
        np.testing.assert_array_equal(got, np.tile(expected, fed.size // y.size))


def test_digamma_at_its_poles(run):
    np.testing.assert_array_equal(run(_R.Digamma(x=[0.0, -0.0, -1.0, -2.0])), [np.inf] * 4)


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64, tf.complex64])
@pytest.mark.parametrize("op", ["InvGrad", "ReciprocalGrad", "RsqrtGrad", "SqrtGrad"])
def test_gradients_of_zero_stay_zero_where_derivatives_are_infinite(run, op, dtype):
    y = 0.0 if op == "SqrtGrad" else np.inf
    grad = getattr(_R, op)(y=tf.constant([y] * 9, dtype), dy=tf.zeros([9], dtype))
    np.testing.assert_array_equal(run(grad), np.zeros(9))


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize(
    ("start", "stop", "inner"), [(1, np.inf, np.inf), (np.inf, 1, np.nan), (1, np.nan, np.nan), (-np.inf, 1, np.nan)]
)
def test_lin_space_keeps_its_ends(run, dtype, start, stop, inner):
    values = _R.LinSpace(start=tf.constant(start, dtype), stop=tf.constant(stop, dtype), num=4)
    np.testing.assert_array_equal(run(values), [start, inner, inner, stop])


@pytest.mark.parametrize("op", ["Igamma", "IgammaGradA"])
def test_lower_incomplete_gamma_is_zero_at_zero(run, op):
    a = [-1.5, 0.0, 2.0, np.nan]
    np.testing.assert_array_equal(run(getattr(_R, op)(a=a, x=[0.0, -0.0, 0.0, 0.0])), [0, 0, 0, np.nan])
    np.testing.assert_array_equal(run(_R.Igammac(a=a, x=0.0)), [np.nan, np.nan, 1, np.nan])


@pytest.mark.parametrize("version", ["", "V2", "V3"])
@pytest.mark.parametrize("odd", [np.inf, np.nan])
def test_batch_norm_gradient_with_given_statistics_does_not_read_x(run, version, odd):
    dy = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
    x = np.full_like(dy, odd)
    spare = {"reserve_space_3": [1.0, 1.0]} if version == "V3" else {}
    grad = getattr(_R, f"FusedBatchNormGrad{version}")(
        y_backprop=dy,
        x=x,
        scale=[2.0, 3.0],
        reserve_space_1=[0.0, 0.0],
        reserve_space_2=[4.0, 1.0],
        is_training=False,
        epsilon=0.0,
        **spare,
    )
    np.testing.assert_allclose(run(grad[0]), dy * [1, 3])


@pytest.mark.parametrize("op", ["ReluGrad", "Relu6Grad"])
def test_gradients_that_are_not_finite_show_where_the_derivative_is_zero(run, op):
    found = run(getattr(_R, op)(gradients=[np.inf, np.nan, np.inf, 3.0], features=[-1.0, 0.0, 1.0, -1.0]))
    np.testing.assert_array_equal(found, [np.nan, np.nan, np.inf, 0])


@pytest.mark.parametrize("depth", [2**31 - 1, 2**31, 2**32, 2**32 + 1])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_no_coordinates_of_absurdly_many_dimensions(run, depth, dtype):
    """An index depth beyond the rank is refused even if there are no indices; as a C int some of these depths are
    small or negative.
    """
    params, indices, updates = tf.placeholder(tf.float32), tf.placeholder(dtype), tf.placeholder(tf.float32)
    variable = tf.Variable(np.ones([3, 4], np.float32), use_resource=True)
    reference = tf.Variable(np.ones([3, 4], np.float32), use_resource=False)
    run(tf.global_variables_initializer())
    feeds = {params: np.ones([3, 4]), indices: np.zeros([0, depth], dtype), updates: np.zeros([0, 4])}
    moving = {"indices": indices, "updates": updates}
    for made in [
        _R.GatherNd(params=params, indices=indices),
        _R.ResourceGatherNd(resource=variable.handle, indices=indices, dtype=tf.float32),
        _R.ScatterNd(shape=tf.cast([3, 4], dtype), **moving),
        *(getattr(_R, f"TensorScatter{what}")(tensor=params, **moving) for what in ["Add", "Sub", "Update"]),
        *(getattr(_R, f"ResourceScatterNd{what}")(ref=variable.handle, **moving) for what in ["Add", "Sub", "Update"]),
        *(getattr(tf, f"scatter_nd_{what}")(reference, **moving) for what in ["add", "sub", "update"]),
    ]:
        with pytest.raises(errors.InvalidArgumentError):
            run(made, feeds)


def _scattered(kind, shape, indices, updates):
    """A scatter op of the given kind into zeros of a shape."""
    if kind == "ScatterNd":
        return _R.ScatterNd(indices=indices, updates=updates, shape=tf.placeholder_with_default(shape, None))
    if kind.startswith("Tensor"):
        target = tf.placeholder_with_default(np.zeros(shape, np.float32), None)
        return getattr(_R, kind)(tensor=target, indices=indices, updates=updates)
    variable = tf.Variable(np.zeros(shape, np.float32), use_resource=kind.startswith("Resource"))
    tf.get_default_session().run(variable.initializer)
    ref = variable.handle if kind.startswith("Resource") else variable._ref()
    return getattr(_R, kind)(ref=ref, indices=indices, updates=updates)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    "kind",
    ["ScatterNd", "TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub", "ScatterNdUpdate", "ScatterNdAdd"]
    + ["ScatterNdSub", "ResourceScatterNdUpdate", "ResourceScatterNdAdd", "ResourceScatterNdSub"],
)
def test_nothing_is_scattered_into_nothing(kind, static):
    def tensors(indices, updates):
        arrays = np.array(indices, np.int32), np.array(updates, np.float32)
        return [tf.constant(a) if static else tf.placeholder_with_default(a, None) for a in arrays]

    with tf.Graph().as_default(), tf.Session() as session:
        for shape, indices, updates in (([2, 0], [[5]], [[]]), ([0, 3], [[0]], [[1, 2, 3]]), ([2, 0], [[0, 0]], [1])):
            with pytest.raises(
                (errors.InvalidArgumentError, ValueError), match="Indices and updates specified for empty"
            ):
                session.run(_scattered(kind, shape, *tensors(indices, updates)))
        session.run(_scattered(kind, [0, 3], *tensors(np.zeros([0, 1]), np.zeros([0, 3]))))


@pytest.mark.parametrize("indices", [[[0]], [[0], [1]], np.zeros([0])])
def test_nothing_is_gathered_from_nothing(run, indices):
    params = tf.placeholder_with_default(np.zeros([2, 0], np.float32), None)
    with pytest.raises(errors.InvalidArgumentError, match="Requested more than 0 entries, but params is empty"):
        run(tf.gather_nd(params, np.asarray(indices, np.int32)))
    assert run(tf.gather_nd(params, np.zeros([0, 1], np.int32))).shape == (0, 0)


@pytest.mark.parametrize("mask", [3, -2, -(2**31) + 1, 0b1010])
def test_one_ellipsis_at_most(run, mask):
    bounds = tf.placeholder_with_default(np.zeros(0, np.int32), None)
    for lengths in (bounds, np.zeros(2, np.int32)):
        with pytest.raises((errors.InvalidArgumentError, ValueError), match="Multiple ellipses in slice spec"):
            run(
                _R.StridedSlice(input=tf.zeros([2, 2]), begin=lengths, end=lengths, strides=lengths, ellipsis_mask=mask)
            )


@pytest.mark.parametrize("samples", [0, 3])
def test_seeds_are_looked_at_where_nothing_is_drawn(run, samples):
    seed = tf.placeholder_with_default(np.zeros(0, np.int32), None)
    with pytest.raises(errors.InvalidArgumentError, match=r"seed must have shape \[2\], not \[0\]"):
        run(_R.StatelessMultinomial(logits=tf.ones([0, 2]), num_samples=samples, seed=seed))
    with pytest.raises(errors.InvalidArgumentError, match=r"seed must have shape \[2\], not \[0\]"):
        run(_R.StatelessRandomUniform(shape=[0], seed=seed))


def test_axes_of_unique_are_a_vector(run):
    axis = tf.placeholder_with_default(0, None)
    for op in (_R.UniqueV2, _R.UniqueWithCountsV2):
        with pytest.raises(errors.InvalidArgumentError, match="axis expects a 1D vector"):
            run(op(x=[1, 1], axis=axis))


@pytest.mark.parametrize(
    "op", [_R.Split, lambda axis, value, num_split: _R.SplitV(value=value, size_splits=[1, 1], axis=axis, num_split=2)]
)
def test_axes_of_splits_are_scalars(op):
    with pytest.raises(ValueError, match="Input must be scalar but has rank 1"):
        op(axis=[0], value=[1, 2], num_split=2)
