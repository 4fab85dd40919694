"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Abs(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The absolute value of x element-wise; ComplexAbs serves complex numbers."""

def AccumulateNV2(*, inputs: Sequence[TensorLike], shape: ShapeLike, name: str | None = None) -> Tensor:
    """The sum of all inputs, which have the shape that attr `shape` names."""

def Acos(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [0, pi] of which the cosine is x."""

def Acosh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine of x element-wise; NaN below 1."""

def Add(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x + y element-wise, with broadcasting. Strings are joined."""

def AddN(*, inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """The sum of all inputs, which have one shape."""

def AddV2(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x + y element-wise, with broadcasting. What the operator + creates."""

def All(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Whether all elements over the dimensions in `reduction_indices` are true."""

def Angle(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """The argument of complex numbers, in [-pi, pi]."""

def Any(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """Whether any element over the dimensions in `reduction_indices` is true."""

def ApproximateEqual(*, x: TensorLike, y: TensorLike, tolerance: float | None = 1e-05, name: str | None = None) -> Tensor:
    """Whether x and y, of one shape, differ by less than `tolerance`, element-wise."""

def ArgMax(*, input: TensorLike, dimension: TensorLike, output_type: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Index along `dimension`, which may be negative, of the largest element; the first of equals."""

def ArgMin(*, input: TensorLike, dimension: TensorLike, output_type: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Index along `dimension`, which may be negative, of the smallest element; the first of equals."""

def Asin(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] of which the sine is x."""

def Asinh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine of x element-wise."""

def Atan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] of which the tangent is x."""

def Atan2(*, y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [-pi, pi] of the point (x, y), element-wise, with broadcasting."""

def Atanh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent of x element-wise; infinite at -1 and 1, NaN beyond."""

def BatchMatMul(*, x: TensorLike, y: TensorLike, adj_x: bool | None = False, adj_y: bool | None = False, name: str | None = None) -> Tensor:
    """The products of the matrices in the last two dimensions of x and y; the dimensions before agree. `adj_x` and `adj_y` take the conjugate transpose."""

def BatchMatMulV2(*, x: TensorLike, y: TensorLike, adj_x: bool | None = False, adj_y: bool | None = False, name: str | None = None) -> Tensor:
    """Like BatchMatMul, but the dimensions before the last two broadcast."""

def BesselI0e(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0 times exp(-abs(x)), element-wise."""

def BesselI1e(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1 times exp(-abs(x)), element-wise."""

def Betainc(*, a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function I_x(a, b) element-wise, for x in [0, 1]. All arguments that are not scalars have one shape."""

def Bincount(*, arr: TensorLike, size: TensorLike, weights: TensorLike, name: str | None = None) -> Tensor:
    """How often each value in [0, size) occurs in `arr`, or the sum of the `weights` at its places. Values of `size` and above are left out, negative ones refused. `weights` has the shape of `arr`, or is empty."""

def BitwiseAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x & y element-wise, with broadcasting."""

def BitwiseOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x | y element-wise, with broadcasting."""

def BitwiseXor(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x ^ y element-wise, with broadcasting."""

def Bucketize(*, input: TensorLike, boundaries: Sequence[float], name: str | None = None) -> Tensor:
    """For each element the number of `boundaries`, which are sorted, that are not above it."""

def Cast(*, x: TensorLike, DstT: DTypeLike, Truncate: bool | None = False, name: str | None = None) -> Tensor:
    """x converted to another numeric type. Floats go to integers by truncation, complex numbers give their real part. `Truncate` drops the bits that do not fit half or bfloat16 instead of rounding."""

def Ceil(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The smallest integer not below x, element-wise."""

def ClipByValue(*, t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None) -> Tensor:
    """t with elements below `clip_value_min` and above `clip_value_max` set to these, which are scalars or like t."""

def Complex(*, real: TensorLike, imag: TensorLike, Tout: DTypeLike | None = _dtypes.complex64, name: str | None = None) -> Tensor:
    """The complex numbers of these real and imaginary parts, with broadcasting."""

def ComplexAbs(*, x: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """The absolute value of complex numbers."""

def Conj(*, input: TensorLike, name: str | None = None) -> Tensor:
    """The complex conjugate, element-wise."""

def Cos(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The cosine of x, in radians, element-wise."""

def Cosh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic cosine of x element-wise."""

def Cross(*, a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """The cross products of the 3-vectors in the last dimension of a and b, which have one shape."""

def Cumprod(*, x: TensorLike, axis: TensorLike, exclusive: bool | None = False, reverse: bool | None = False, name: str | None = None) -> Tensor:
    """Running products of x along `axis`; `exclusive` leaves each element out of its own product, `reverse` multiplies from the end."""

def Cumsum(*, x: TensorLike, axis: TensorLike, exclusive: bool | None = False, reverse: bool | None = False, name: str | None = None) -> Tensor:
    """Running sums of x along `axis`; `exclusive` leaves each element out of its own sum, `reverse` sums from the end."""

def Digamma(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of lgamma at x, element-wise."""

def Div(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y element-wise, with broadcasting; integers round towards zero and refuse to divide by zero."""

def DivNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y element-wise, but 0 wherever y is 0. Broadcasts."""

def Equal(*, x: TensorLike, y: TensorLike, incompatible_shape_error: bool | None = True, name: str | None = None) -> Tensor:
    """x == y element-wise, with broadcasting. Shapes that do not broadcast are an error, or a scalar False if `incompatible_shape_error` is False."""

def Erf(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The Gauss error function of x element-wise."""

def Erfc(*, x: TensorLike, name: str | None = None) -> Tensor:
    """1 - erf(x) element-wise, exact also where x is large."""

def EuclideanNorm(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """sqrt(sum(x * conj(x))) over the dimensions in `reduction_indices`."""

def Exp(*, x: TensorLike, name: str | None = None) -> Tensor:
    """e to the power of x, element-wise."""

def Expm1(*, x: TensorLike, name: str | None = None) -> Tensor:
    """exp(x) - 1 element-wise, exact also where x is near 0."""

def Floor(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The largest integer not above x, element-wise."""

def FloorDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """floor(x / y) element-wise, with broadcasting. Integers refuse to divide by zero."""

def FloorMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x - floor(x / y) * y element-wise: the remainder has the sign of y. Broadcasts."""

def Greater(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x > y element-wise, with broadcasting."""

def GreaterEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x >= y element-wise, with broadcasting."""

def HistogramFixedWidth(*, values: TensorLike, value_range: TensorLike, nbins: TensorLike, dtype: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Counts of `values` in `nbins` intervals of one width between the two elements of `value_range`; what lies outside counts in the first or last."""

def Igamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The lower regularized incomplete gamma function P(a, x) element-wise, with broadcasting."""

def IgammaGradA(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of igamma(a, x) by `a` element-wise, with broadcasting."""

def Igammac(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The upper regularized incomplete gamma function Q(a, x) element-wise, with broadcasting."""

def Imag(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """The imaginary part of complex numbers."""

def Inv(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Like Reciprocal; older graphs use it."""

def InvGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """-dy * y * y with y = 1 / x."""

def Invert(*, x: TensorLike, name: str | None = None) -> Tensor:
    """x with all bits flipped, element-wise."""

def IsFinite(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is neither infinite nor NaN, element-wise."""

def IsInf(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is infinite, element-wise."""

def IsNan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is not a number, element-wise."""

def LeftShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x << y element-wise, with broadcasting; y is taken into the range of the type's bits."""

def Less(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x < y element-wise, with broadcasting."""

def LessEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x <= y element-wise, with broadcasting."""

def Lgamma(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function of x."""

def LinSpace(*, start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None) -> Tensor:
    """A vector of `num` values at equal distances from `start` to `stop`, both included."""

def Log(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The natural logarithm of x element-wise: -inf at 0, NaN where a real x is negative."""

def Log1p(*, x: TensorLike, name: str | None = None) -> Tensor:
    """log(1 + x) element-wise, exact also where x is near 0."""

def LogicalAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether both x and y are true, element-wise, with broadcasting."""

def LogicalNot(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is false, element-wise."""

def LogicalOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether x or y or both are true, element-wise, with broadcasting."""

def MatMul(*, a: TensorLike, b: TensorLike, transpose_a: bool | None = False, transpose_b: bool | None = False, name: str | None = None) -> Tensor:
    """The matrix product of a [m, k] and b [k, n]; `transpose_a` takes a as [k, m], `transpose_b` takes b as [n, k]."""

def Max(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """The largest element over the dimensions in `reduction_indices`; the type's lowest value if there is nothing."""

def Maximum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The larger of x and y element-wise, with broadcasting."""

def Mean(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """The mean of `input` over the dimensions in `reduction_indices`; NaN if there is nothing."""

def Min(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """The smallest element over the dimensions in `reduction_indices`; the type's highest value if there is nothing."""

def Minimum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The smaller of x and y element-wise, with broadcasting."""

def Mod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Like TruncateMod; older graphs use it."""

def Mul(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x * y element-wise, with broadcasting."""

def MulNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x * y element-wise, but 0 wherever y is 0, even if x is infinite or NaN. Broadcasts."""

def Neg(*, x: TensorLike, name: str | None = None) -> Tensor:
    """-x element-wise."""

def NextAfter(*, x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """The number next to x1 in the direction of x2, element-wise, with broadcasting."""

def NotEqual(*, x: TensorLike, y: TensorLike, incompatible_shape_error: bool | None = True, name: str | None = None) -> Tensor:
    """x != y element-wise, with broadcasting. Shapes that do not broadcast are an error, or a scalar True if `incompatible_shape_error` is False."""

def Polygamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of order `a` of the digamma function at x, element-wise, with broadcasting."""

def PopulationCount(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The number of bits of x that are 1, element-wise."""

def Pow(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x to the power of y element-wise, with broadcasting. Integers refuse negative powers."""

def Prod(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """The product of `input` over the dimensions in `reduction_indices`; 1 if there is nothing."""

def RandomGammaGrad(*, alpha: TensorLike, sample: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of a sample of the gamma distribution of scale 1 by its parameter `alpha`, element-wise with broadcasting: that of the inverse of igamma(alpha, x)."""

def Range(*, start: TensorLike, limit: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """The vector start, start + delta, … up to `limit`, which is left out. `delta` may be negative but not 0."""

def Real(*, input: TensorLike, Tout: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """The real part of complex numbers."""

def RealDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y element-wise, with broadcasting."""

def Reciprocal(*, x: TensorLike, name: str | None = None) -> Tensor:
    """1 / x element-wise."""

def ReciprocalGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """-dy * y * y with y = 1 / x."""

def RightShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x >> y element-wise, with broadcasting: arithmetic for signed types; y is taken into the range of the type's bits."""

def Rint(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The integer nearest to x, element-wise; halves go to the even one."""

def Round(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The integer nearest to x, element-wise; halves go to the even one."""

def Rsqrt(*, x: TensorLike, name: str | None = None) -> Tensor:
    """1 / sqrt(x) element-wise."""

def RsqrtGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """dy * -0.5 * y ** 3 with y = rsqrt(x)."""

def SegmentMax(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SegmentSum with the largest."""

def SegmentMean(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SegmentSum with means."""

def SegmentMin(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SegmentSum with the smallest."""

def SegmentProd(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SegmentSum with products; 1 where an id does not occur."""

def SegmentSum(*, data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Row i of the output is the sum of the rows of `data` of which the id is i; 0 if there are none. Ids do not decrease and are not negative; there is one for each row."""

def Select(*, condition: TensorLike, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Elements of t where `condition` is true, of e elsewhere. t and e have one shape; `condition` has it too, or is a scalar, or a vector with one value for each row of t."""

def SelectV2(*, condition: TensorLike, t: TensorLike, e: TensorLike, name: str | None = None) -> Tensor:
    """Elements of t where `condition` is true, of e elsewhere, with broadcasting of all three."""

def Sigmoid(*, x: TensorLike, name: str | None = None) -> Tensor:
    """1 / (1 + exp(-x)) element-wise."""

def SigmoidGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """dy * y * (1 - y) with y = sigmoid(x)."""

def Sign(*, x: TensorLike, name: str | None = None) -> Tensor:
    """-1, 0 or 1 as x is negative, zero or positive; x / |x| (0 at 0) for complex x."""

def Sin(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The sine of x, in radians, element-wise."""

def Sinh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic sine of x element-wise."""

def SparseMatMul(*, a: TensorLike, b: TensorLike, transpose_a: bool | None = False, transpose_b: bool | None = False, a_is_sparse: bool | None = False, b_is_sparse: bool | None = False, name: str | None = None) -> Tensor:
    """The product of dense matrices a [m, k] and b [k, n], in floats; `transpose_a` takes a as [k, m], `transpose_b` takes b as [n, k]. That one of them is sparse is a hint."""

def SparseSegmentMean(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SparseSegmentSum with means. There are as many rows as the last id says."""

def SparseSegmentMeanGrad(*, grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, name: str | None = None) -> Tensor:
    """The gradient of SparseSegmentMean for data of `output_dim0` rows."""

def SparseSegmentMeanWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Like SparseSegmentSum with means. There are `num_segments` rows."""

def SparseSegmentSqrtN(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Like SparseSegmentSum, divided by the square root of the number of rows. There are as many rows as the last id says."""

def SparseSegmentSqrtNGrad(*, grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, name: str | None = None) -> Tensor:
    """The gradient of SparseSegmentSqrtN for data of `output_dim0` rows."""

def SparseSegmentSqrtNWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Like SparseSegmentSum, divided by the square root of the number of rows. There are `num_segments` rows."""

def SparseSegmentSum(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Row s of the output is the sum of the rows of `data` at those `indices` of which the segment id is s; ids do not decrease. There are as many rows as the last id says."""

def SparseSegmentSumWithNumSegments(*, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Row s of the output is the sum of the rows of `data` at those `indices` of which the segment id is s; ids do not decrease. There are `num_segments` rows."""

def Sqrt(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The square root of x element-wise; NaN where a real x is negative."""

def SqrtGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """dy * 0.5 / y with y = sqrt(x)."""

def Square(*, x: TensorLike, name: str | None = None) -> Tensor:
    """x * x element-wise."""

def SquaredDifference(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """(x - y) * conj(x - y) element-wise, with broadcasting."""

def Sub(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x - y element-wise, with broadcasting."""

def Sum(*, input: TensorLike, axis: TensorLike, keep_dims: bool | None = False, name: str | None = None) -> Tensor:
    """The sum of `input` over the dimensions in `reduction_indices`, which keep size 1 with `keep_dims`. Empty sums are 0."""

def Tan(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The tangent of x, in radians, element-wise."""

def Tanh(*, x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic tangent of x element-wise."""

def TanhGrad(*, y: TensorLike, dy: TensorLike, name: str | None = None) -> Tensor:
    """dy * (1 - y * y) with y = tanh(x)."""

def TruncateDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y of integers, rounded towards zero. Broadcasts; refuses to divide by zero."""

def TruncateMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The remainder of x / y rounded towards zero: it has the sign of x. Broadcasts."""

def UnsortedSegmentMax(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Like UnsortedSegmentSum with the largest; the type's lowest value where an id does not occur."""

def UnsortedSegmentMin(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Like UnsortedSegmentSum with the smallest; the type's highest value where an id does not occur."""

def UnsortedSegmentProd(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Like UnsortedSegmentSum with products; 1 where an id does not occur."""

def UnsortedSegmentSum(*, data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Row i of the output is the sum of the rows of `data` of which the id is i; 0 if there are none. The shape of `segment_ids` begins the shape of `data`; negative ids are dropped."""

def Xdivy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y element-wise, but 0 wherever x is 0. Broadcasts."""

def Xlogy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x * log(y) element-wise, but 0 wherever x is 0. Broadcasts."""

def Zeta(*, x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Hurwitz's zeta function, the sum of (q + k) ** -x over k >= 0, element-wise, with broadcasting."""
