"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Abs(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the absolute value of x element-wise. ComplexAbs does so for complex numbers."""

def AccumulateNV2(*, inputs: Sequence[TensorLike], shape: ShapeLike, name: str | None = None) -> Tensor:
    """Computes the element-wise sum of the N tensors in `inputs`, which must have the shape `shape`."""

def Acos(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the angle in [0, pi] whose cosine is x, element-wise."""

def Acosh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse hyperbolic cosine of x element-wise. It is NaN below 1."""

def Add(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x + y element-wise, with broadcasting. Strings are concatenated."""

def AddN(*, inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Computes the element-wise sum of the N tensors in `inputs`, which must have equal shapes."""

def AddV2(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x + y element-wise, with broadcasting. The operator + creates this op."""

def All(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Tests whether all elements of `input` are true, over the dimensions `reduction_indices`; with `keep_dims` these keep size 1."""

def Angle(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Computes the argument of each complex number in `input`, in [-pi, pi]."""

def Any(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Tests whether any element of `input` is true, over the dimensions `reduction_indices`; with `keep_dims` these keep size 1."""

def ApproximateEqual(*, x: TensorLike, y: TensorLike, tolerance: float | None = 1e-05, name: str | None = None) -> Tensor:
    """Tests element-wise whether abs(x - y) is less than `tolerance`. x and y must have equal shapes."""

def ArgMax(*, input: TensorLike, dimension: TensorLike, output_type: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Finds the index of the largest element of `input` along `dimension`, which may be negative. Of equal elements it is the first."""

def ArgMin(*, input: TensorLike, dimension: TensorLike, output_type: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Finds the index of the smallest element of `input` along `dimension`, which may be negative. Of equal elements it is the first."""

def Asin(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the angle in [-pi/2, pi/2] whose sine is x, element-wise."""

def Asinh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse hyperbolic sine of x element-wise."""

def Atan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the angle in [-pi/2, pi/2] whose tangent is x, element-wise."""

def Atan2(*, y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the angle in [-pi, pi] of the point (x, y) element-wise, with broadcasting."""

def Atanh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse hyperbolic tangent of x element-wise. It is infinite at -1 and 1, and NaN beyond."""

def BatchMatMul(*, x: TensorLike, y: TensorLike, adj_x: bool | None = False, adj_y: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the products of the matrices in the last two dimensions of `x` and `y`, whose other dimensions must be equal. `adj_x` and `adj_y` use the conjugate transpose of `x` and `y`."""

def BatchMatMulV2(*, x: TensorLike, y: TensorLike, adj_x: bool | None = False, adj_y: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the products of matrices as BatchMatMul does, with broadcasting of all dimensions except the last two."""

def BesselI0e(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes exp(-abs(x)) times the modified Bessel function of the first kind of order 0, element-wise."""

def BesselI1e(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes exp(-abs(x)) times the modified Bessel function of the first kind of order 1, element-wise."""

def Betainc(*, a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the regularized incomplete beta function I_x(a, b) element-wise, for x in [0, 1]. Inputs that are not scalars must have equal shapes."""

def Bincount(*, arr: TensorLike, size: TensorLike, weights: TensorLike, name: str | None = None) -> Tensor:
    """Counts how often each value in [0, size) occurs in `arr`, or sums the `weights` of its occurrences. `weights` has the shape of `arr` or is empty. Values of `size` and above are ignored; negative values are an error."""

def BitwiseAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x & y element-wise, with broadcasting."""

def BitwiseOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x | y element-wise, with broadcasting."""

def BitwiseXor(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x ^ y element-wise, with broadcasting."""

def Bucketize(*, input: TensorLike, boundaries: Sequence[float], name: str | None = None) -> Tensor:
    """Computes the bucket of each element of `input`: the number of `boundaries` that are less than or equal to it. `boundaries` must be sorted."""

def Cast(*, x: TensorLike, DstT: DTypeLike, Truncate: bool | None = False, name: str | None = None) -> Tensor:
    """Converts x to another numeric dtype `DstT`. Floating-point numbers are truncated to integers; complex numbers are reduced to their real part. If `Truncate` is true, the bits that do not fit into half or bfloat16 are dropped instead of rounded."""

def Ceil(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the smallest integer that is not less than x, element-wise."""

def ClipByValue(*, t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None) -> Tensor:
    """Clips the elements of `t` to the range from `clip_value_min` to `clip_value_max`, which are scalars or have the shape of `t`."""

def Complex(*, real: TensorLike, imag: TensorLike, Tout: DTypeLike | None = _dtypes.complex64, name: str | None = None) -> Tensor:
    """Builds complex numbers from the real parts `real` and the imaginary parts `imag` element-wise, with broadcasting."""

def ComplexAbs(*, x: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Computes the absolute value of each complex number in `x`."""

def Conj(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the complex conjugate of `input` element-wise."""

def Cos(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the cosine of x, in radians, element-wise."""

def Cosh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the hyperbolic cosine of x element-wise."""

def Cross(*, a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Computes the cross products of the 3-vectors in the last dimension of `a` and `b`, which must have equal shapes."""

def Cumprod(*, x: TensorLike, axis: TensorLike, exclusive: bool | None = False, reverse: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the running products of `x` along `axis`. `exclusive` excludes each element from its own product; `reverse` multiplies from the end."""

def Cumsum(*, x: TensorLike, axis: TensorLike, exclusive: bool | None = False, reverse: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the running sums of `x` along `axis`. `exclusive` excludes each element from its own sum; `reverse` sums from the end."""

def Digamma(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the derivative of lgamma at x, element-wise."""

def Div(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x / y element-wise, with broadcasting. Integers round towards zero, and fail if they are divided by zero."""

def DivNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x / y element-wise, with broadcasting. The result is 0 wherever y is 0."""

def Equal(*, x: TensorLike, y: TensorLike, incompatible_shape_error: bool | None = True, name: str | None = None) -> Tensor:
    """Computes x == y element-wise, with broadcasting. Shapes that do not broadcast are an error, or give a scalar False if `incompatible_shape_error` is False."""

def Erf(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the Gauss error function of x element-wise."""

def Erfc(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes 1 - erf(x) element-wise, without loss of precision for large x."""

def EuclideanNorm(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes sqrt(sum(x * conj(x))) of the elements x of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1."""

def Exp(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes e to the power of x, element-wise."""

def Expm1(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes exp(x) - 1 element-wise, without loss of precision near x = 0."""

def Floor(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the largest integer that is not greater than x, element-wise."""

def FloorDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes floor(x / y) element-wise, with broadcasting. Integers fail if they are divided by zero."""

def FloorMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x - floor(x / y) * y element-wise, with broadcasting. The remainder has the sign of y."""

def Greater(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x > y element-wise, with broadcasting."""

def GreaterEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x >= y element-wise, with broadcasting."""

def HistogramFixedWidth(*, values: TensorLike, value_range: TensorLike, nbins: TensorLike, dtype: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Counts `values` in `nbins` intervals of equal width between the two elements of `value_range`. Values outside the range are counted in the first or the last interval."""

def Igamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the lower regularized incomplete gamma function P(a, x) element-wise, with broadcasting."""

def IgammaGradA(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the derivative of igamma(a, x) with respect to `a` element-wise, with broadcasting."""

def Igammac(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the upper regularized incomplete gamma function Q(a, x) element-wise, with broadcasting."""

def Imag(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Returns the imaginary part of each complex number in `input`."""

def Inv(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the same as Reciprocal. Older graphs use it."""

def InvGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Reciprocal, -dy * y * y, from its result y = 1 / x and the gradient dy of that."""

def Invert(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Flips all bits of x, element-wise."""

def IsFinite(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Tests element-wise whether x is finite, i.e. neither infinite nor NaN."""

def IsInf(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Tests element-wise whether x is infinite."""

def IsNan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Tests element-wise whether x is NaN."""

def LeftShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x << y element-wise, with broadcasting. y is clamped to [0, bits of the type - 1]."""

def Less(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x < y element-wise, with broadcasting."""

def LessEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x <= y element-wise, with broadcasting."""

def Lgamma(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the logarithm of the absolute value of the gamma function of x, element-wise."""

def LinSpace(*, start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None) -> Tensor:
    """Returns a vector of `num` evenly spaced values from `start` to `stop`, both included."""

def Log(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the natural logarithm of x element-wise. It is -inf at 0 and NaN for negative real x."""

def Log1p(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes log(1 + x) element-wise, without loss of precision near x = 0."""

def LogicalAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the logical AND of x and y element-wise, with broadcasting."""

def LogicalNot(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the logical NOT of x element-wise."""

def LogicalOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the logical OR of x and y element-wise, with broadcasting."""

def MatMul(*, a: TensorLike, b: TensorLike, transpose_a: bool | None = False, transpose_b: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the matrix product of `a` [m, k] and `b` [k, n]. With `transpose_a` the shape of `a` is [k, m], with `transpose_b` the shape of `b` is [n, k]."""

def Max(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the maximum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. The maximum of no elements is the lowest value of the type."""

def Maximum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the larger of x and y element-wise, with broadcasting."""

def Mean(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the mean of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. The mean of no elements is NaN."""

def Min(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the minimum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. The minimum of no elements is the highest value of the type."""

def Minimum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the smaller of x and y element-wise, with broadcasting."""

def Mod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the same as TruncateMod. Older graphs use it."""

def Mul(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x * y element-wise, with broadcasting."""

def MulNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x * y element-wise, with broadcasting. The result is 0 wherever y is 0, even if x is infinite or NaN."""

def Neg(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes -x element-wise."""

def NextAfter(*, x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Computes the number next to `x1` in the direction of `x2` element-wise, with broadcasting."""

def NotEqual(*, x: TensorLike, y: TensorLike, incompatible_shape_error: bool | None = True, name: str | None = None) -> Tensor:
    """Computes x != y element-wise, with broadcasting. Shapes that do not broadcast are an error, or give a scalar True if `incompatible_shape_error` is False."""

def Polygamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the derivative of order `a` of the digamma function at `x` element-wise, with broadcasting."""

def PopulationCount(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Counts the bits of x that are 1, element-wise."""

def Pow(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x to the power of y element-wise, with broadcasting. Integers fail for negative powers."""

def Prod(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the product of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. The product of no elements is 1."""

def RandomGammaGrad(*, alpha: TensorLike, sample: TensorLike, name: str | None = None) -> Tensor:
    """Computes the derivative of a sample of the gamma distribution of scale 1 with respect to its parameter `alpha`, element-wise with broadcasting. The sample is seen as the inverse of igamma(alpha, x)."""

def Range(*, start: TensorLike, limit: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """Returns the vector start, start + delta, … up to but not including `limit`. `delta` may be negative but not 0."""

def Real(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Returns the real part of each complex number in `input`."""

def RealDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x / y element-wise, with broadcasting."""

def Reciprocal(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes 1 / x element-wise."""

def ReciprocalGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Reciprocal, -dy * y * y, from its result y = 1 / x and the gradient dy of that."""

def RightShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x >> y element-wise, with broadcasting. The shift is arithmetic for signed types; y is clamped to [0, bits of the type - 1]."""

def Rint(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Rounds x to the nearest integer, element-wise; halves go to the even one."""

def Round(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Rounds x to the nearest integer, element-wise; halves go to the even one."""

def Rsqrt(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes 1 / sqrt(x) element-wise."""

def RsqrtGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Rsqrt, dy * -0.5 * y ** 3, from its result y = rsqrt(x) and the gradient dy of that."""

def SegmentMax(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Computes the maximum of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does."""

def SegmentMean(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Computes the means of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does."""

def SegmentMin(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Computes the minimum of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does."""

def SegmentProd(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Multiplies the rows of `data` with equal ids; the product is 1 if an id does not occur. It treats `segment_ids` as SegmentSum does."""

def SegmentSum(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sums the rows of `data` with equal ids: row i of `output` is the sum of the rows whose id is i, or 0 if there are none. `segment_ids` has one id per row; ids must be sorted and not negative."""

def Select(*, condition: TensorLike, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Takes elements of `t` where `condition` is true, and of `e` elsewhere. `t` and `e` must have equal shapes; `condition` has that shape too, or is a scalar, or a vector with one element per row of `t`."""

def SelectV2(*, condition: TensorLike, t: TensorLike, e: TensorLike, name: str | None = None) -> Tensor:
    """Takes elements of `t` where `condition` is true, and of `e` elsewhere, with broadcasting of all three inputs."""

def Sigmoid(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes 1 / (1 + exp(-x)) element-wise."""

def SigmoidGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Sigmoid, dy * y * (1 - y), from its result y = sigmoid(x) and the gradient dy of that."""

def Sign(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the sign of x element-wise: -1, 0 or 1 for a negative, zero or positive number, and x / abs(x) (0 at 0) for a complex number."""

def Sin(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the sine of x, in radians, element-wise."""

def Sinh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the hyperbolic sine of x element-wise."""

def SparseMatMul(*, a: TensorLike, b: TensorLike, transpose_a: bool | None = False, transpose_b: bool | None = False, a_is_sparse: bool | None = False, b_is_sparse: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the product of the dense matrices `a` [m, k] and `b` [k, n] in float. With `transpose_a` the shape of `a` is [k, m], with `transpose_b` the shape of `b` is [n, k]. `a_is_sparse` and `b_is_sparse` are hints without effect."""

def SparseSegmentMean(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Computes the means of the rows that SparseSegmentSum would sum. The number of rows of `output` is the last id + 1."""

def SparseSegmentMeanGrad(*, grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of SparseSegmentMean with respect to its input `data`, which has `output_dim0` rows."""

def SparseSegmentMeanWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Computes the means of the rows that SparseSegmentSum would sum. `output` has `num_segments` rows."""

def SparseSegmentSqrtN(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Computes the sums of SparseSegmentSum, divided by the square root of the number of summed rows. The number of rows of `output` is the last id + 1."""

def SparseSegmentSqrtNGrad(*, grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of SparseSegmentSqrtN with respect to its input `data`, which has `output_dim0` rows."""

def SparseSegmentSqrtNWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Computes the sums of SparseSegmentSum, divided by the square root of the number of summed rows. `output` has `num_segments` rows."""

def SparseSegmentSum(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Selects the rows of `data` at `indices` and sums the ones with equal ids: row s of `output` is the sum of the selected rows whose entry in `segment_ids` is s. The ids must be sorted. The number of rows of `output` is the last id + 1."""

def SparseSegmentSumWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Selects the rows of `data` at `indices` and sums the ones with equal ids: row s of `output` is the sum of the selected rows whose entry in `segment_ids` is s. The ids must be sorted. `output` has `num_segments` rows."""

def Sqrt(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the square root of x element-wise. It is NaN for negative real x."""

def SqrtGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Sqrt, dy * 0.5 / y, from its result y = sqrt(x) and the gradient dy of that."""

def Square(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes x * x element-wise."""

def SquaredDifference(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes (x - y) * conj(x - y) element-wise, with broadcasting."""

def Sub(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x - y element-wise, with broadcasting."""

def Sum(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the sum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. The sum of no elements is 0."""

def Tan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the tangent of x, in radians, element-wise."""

def Tanh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the hyperbolic tangent of x element-wise."""

def TanhGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of Tanh, dy * (1 - y * y), from its result y = tanh(x) and the gradient dy of that."""

def TruncateDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the integer quotient x / y rounded towards zero, element-wise with broadcasting. It fails if an integer is divided by zero."""

def TruncateMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the remainder of the division x / y rounded towards zero, element-wise with broadcasting. The remainder has the sign of x."""

def UnsortedSegmentMax(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Computes the maximum of the rows of `data` with equal ids: row i of `output` is the maximum of the rows whose id is i, or the lowest value of the type if there are none. It treats `segment_ids` as UnsortedSegmentSum does."""

def UnsortedSegmentMin(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Computes the minimum of the rows of `data` with equal ids: row i of `output` is the minimum of the rows whose id is i, or the highest value of the type if there are none. It treats `segment_ids` as UnsortedSegmentSum does."""

def UnsortedSegmentProd(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Multiplies the rows of `data` with equal ids: row i of `output` is the product of the rows whose id is i, or 1 if there are none. It treats `segment_ids` as UnsortedSegmentSum does."""

def UnsortedSegmentSum(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Sums the rows of `data` with equal ids: row i of `output` is the sum of the rows whose id is i, or 0 if there are none. The shape of `data` begins with the shape of `segment_ids`. Rows with negative ids are dropped."""

def Xdivy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x / y element-wise, with broadcasting. The result is 0 wherever x is 0."""

def Xlogy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes x * log(y) element-wise, with broadcasting. The result is 0 wherever x is 0."""

def Zeta(*, x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Computes the Hurwitz zeta function, the sum of (q + k) ** -x over k >= 0, element-wise with broadcasting."""
