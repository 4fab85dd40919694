#include <optional>
#include <string>

#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"

/// The Matrix…V2 and V3 ops work on bands of diagonals. A band is packed as rows [upper - lower + 1, longest] from the
/// uppermost diagonal to the lowest, or, if it has one diagonal, as a row without the first dimension. Diagonal d holds
/// the elements with column - row = d.
namespace tinytf::ops {
namespace {

struct Band {
  int64_t lower = 0, upper = 0;  // in the range of int32

  bool single() const { return lower == upper; }
  int64_t count() const { return upper - lower + 1; }
};

/// Whether diagonals shorter than the longest are right-aligned in their rows: those above the main diagonal
/// (`right_above`), and those below it (`right_below`).
struct Alignment {
  bool right_above = false, right_below = false;

  static Alignment of(KernelInit& init) {
    const auto* align = init.node().attrs.get<std::string>("align");
    if (align == nullptr) return {};  // the V2 ops have no attr `align`
    return {align->rfind("RIGHT_", 0) == 0, align->size() > 6 && align->rfind("_RIGHT") == align->size() - 6};
  }
};

/// Size of the matrices, their band, and how it is packed.
struct BandLayout {
  int64_t rows, cols;
  Band band;
  int64_t longest;
  Alignment align;

  /// Number of elements of diagonal d; negative for diagonals outside the matrix.
  int64_t length(int64_t d) const { return std::min(rows + std::min<int64_t>(d, 0), cols - std::max<int64_t>(d, 0)); }
  /// Number of padding elements before diagonal d in its row. It is 0 for the main diagonal, which is never shorter
  /// than the longest.
  int64_t offset(int64_t d) const { return (d > 0 ? align.right_above : align.right_below) ? longest - length(d) : 0; }
};

/// Number of elements of the longest diagonal in the band.
Size longest_of(int64_t rows, int64_t cols, const Band& band) {
  const Size below = Size(rows) + std::min<int64_t>(band.upper, 0);
  const Size right = Size(cols) - std::max<int64_t>(band.lower, 0);
  return std::min(below.value(), right.value());
}

/// Copies the band between `batch` > 0 non-empty matrices and their packed diagonals, in the direction that
/// `src_is_packed` tells.
void copy_band(KernelContext& ctx, const Tensor& src, Tensor& dst, int64_t batch, const BandLayout& at,
               bool src_is_packed) {
  const auto size = static_cast<int64_t>(dtype_size(src.dtype()));
  const int64_t in_matrix[] = {at.rows * at.cols, at.cols + 1}, in_packed[] = {at.band.count() * at.longest, 1};
  const auto* from = src.data<char>();
  auto* to = dst.data<char>();
  const auto copy_diagonal = [&](int64_t d) {
    const int64_t dims[] = {batch, at.length(d)};
    const int64_t matrix = size * (d >= 0 ? d : -d * at.cols);
    const int64_t packed = size * ((at.band.upper - d) * at.longest + at.offset(d));
    kernels::table().copy.strided(from + (src_is_packed ? packed : matrix), to + (src_is_packed ? matrix : packed),
                                  dtype_size(src.dtype()), 2, dims, src_is_packed ? in_packed : in_matrix,
                                  src_is_packed ? in_matrix : in_packed, ctx.parallel());
  };
  const int64_t highest = std::min(at.band.upper, at.cols - 1), lowest = std::max(at.band.lower, 1 - at.rows);
  const double cost = kMoveCost * static_cast<double>(batch) * static_cast<double>(at.longest);
  ctx.parallel().run_in_order(highest - lowest + 1, cost, [&](int64_t i, int64_t end) {
    for (; i < end; ++i) copy_diagonal(highest - i);
  });
}

void fill(KernelContext& ctx, Tensor& out, const Tensor& value) {
  kernels::table().copy.fill(out.raw(), value.raw(), dtype_size(out.dtype()), out.num_elements(), ctx.parallel());
}

Result<Band> read_band(const Tensor& k) {
  if (k.rank() > 1) {
    return invalid_argument("diag_index must be a scalar or vector, received shape: ", k.shape().to_string());
  }
  const int64_t n = k.num_elements();
  if (n < 1 || n > 2) {
    return invalid_argument("diag_index must have only one or two elements, received ", n, " elements.");
  }
  const Band band{k.int_at(0), k.int_at(n - 1)};
  if (band.lower > band.upper) {
    return invalid_argument("lower_diag_index must not be larger than upper_diag_index: ", band.lower, " > ",
                            band.upper);
  }
  return band;
}

/// Whether matrices of this size have diagonal d. Empty matrices are taken to have the main one.
bool has_diagonal(int64_t rows, int64_t cols, int64_t d) { return (-rows < d && d < cols) || d == 0; }

Status check_band(int64_t rows, int64_t cols, const Band& band) {
  for (const int64_t d : {band.lower, band.upper}) {
    if (has_diagonal(rows, cols, d)) continue;
    return invalid_argument(d == band.lower ? "lower" : "upper", "_diag_index is out of bound: ", d,
                            ". It must be between ", -rows, " and ", cols);
  }
  return Status();
}

/// Fails with "{what} must be a scalar, …" unless input i is a scalar.
Status check_scalar(const KernelContext& ctx, int i, const char* what) {
  if (ctx.input(i).rank() == 0) return Status();
  return invalid_argument(what, " must be a scalar, received ", what,
                          " with shape: ", ctx.input(i).shape().to_string());
}

/// The sizes of the matrices for a packed band. A given size of -1 stands for the smallest that fits; if both are -1,
/// the matrices are square.
struct MatrixSize {
  Size rows, cols;
};
MatrixSize least_size(const Band& band, int64_t longest) {
  return {Size(longest) - std::min<int64_t>(band.upper, 0), Size(longest) + std::max<int64_t>(band.lower, 0)};
}
MatrixSize complete(const MatrixSize& least, int64_t rows, int64_t cols) {
  if (rows == -1 && cols == -1) {
    const Size square = std::max(least.rows.value(), least.cols.value());
    return {square, square};
  }
  return {rows == -1 ? least.rows : Size(rows), cols == -1 ? least.cols : Size(cols)};
}

class BandedDiagKernel final : public Kernel {
 public:
  explicit BandedDiagKernel(KernelInit& init) : align_(Alignment::of(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& diagonal = ctx.input(0);
    const int rank = diagonal.rank();
    if (rank < 1) {
      return invalid_argument("diagonal must be at least 1-dim, received shape: ", diagonal.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(const Band band, read_band(ctx.input(1)));
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, 2, "num_rows"));
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, 3, "num_cols"));
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, 4, "padding_value"));
    if (!band.single() && (rank < 2 || diagonal.dim(rank - 2) != band.count())) {
      return invalid_argument(
          "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index "
          "range.");
    }
    const int64_t longest = diagonal.dim(rank - 1);
    const MatrixSize least = least_size(band, longest);
    const auto [rows, cols] = complete(least, ctx.input(2).int_at(0), ctx.input(3).int_at(0));
    if (rows.value() < least.rows.value()) return invalid_argument("The number of rows is too small.");
    if (cols.value() < least.cols.value()) return invalid_argument("The number of columns is too small.");
    if (rows.value() != least.rows.value() && cols.value() != least.cols.value()) {
      return invalid_argument(
          "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.");
    }
    Shape shape = diagonal.shape();
    shape.remove_dim(rank - 1);
    if (!band.single()) shape.remove_dim(rank - 2);
    const int64_t batch = shape.num_elements();
    shape.add_dim(rows.value());
    shape.add_dim(cols.value());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    fill(ctx, *out, ctx.input(4));
    if (longest > 0) copy_band(ctx, diagonal, *out, batch, {rows.value(), cols.value(), band, longest, align_}, true);
    return Status();
  }

 private:
  const Alignment align_;
};

class BandedDiagPartKernel final : public Kernel {
 public:
  explicit BandedDiagPartKernel(KernelInit& init) : align_(Alignment::of(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    if (rank < 2) return invalid_argument("input must be at least 2-dim, received shape: ", input.shape().to_string());
    TINYTF_ASSIGN_OR_RETURN(const Band band, read_band(ctx.input(1)));
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, 2, "padding_value"));
    const int64_t rows = input.dim(rank - 2), cols = input.dim(rank - 1);
    TINYTF_RETURN_IF_ERROR(check_band(rows, cols, band));
    Shape shape = input.shape();
    shape.remove_dim(rank - 1);
    shape.remove_dim(rank - 2);
    const int64_t batch = shape.num_elements(), longest = longest_of(rows, cols, band).value();
    if (!band.single()) shape.add_dim(band.count());
    shape.add_dim(longest);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    if (!band.single()) fill(ctx, *out, ctx.input(2));
    copy_band(ctx, input, *out, batch, {rows, cols, band, longest, align_}, false);
    return Status();
  }

 private:
  const Alignment align_;
};

class BandedSetDiagKernel final : public Kernel {
 public:
  explicit BandedSetDiagKernel(KernelInit& init) : align_(Alignment::of(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& diagonal = ctx.input(1);
    const int rank = input.rank();
    if (rank < 2) return invalid_argument("input must be at least 2-dim, received shape: ", input.shape().to_string());
    if (diagonal.rank() < 1) {
      return invalid_argument("diagonal must be at least 1-dim, received shape: ", diagonal.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(const Band band, read_band(ctx.input(2)));
    const int64_t rows = input.dim(rank - 2), cols = input.dim(rank - 1);
    TINYTF_RETURN_IF_ERROR(check_band(rows, cols, band));
    const int64_t longest = longest_of(rows, cols, band).value();
    TINYTF_RETURN_IF_ERROR(check_diagonal(input.shape(), diagonal.shape(), band, longest));
    const int64_t n = input.num_elements();
    const bool in_place = ctx.can_forward(0, input.dtype(), n);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, input.shape()));
    if (n == 0) return Status();
    if (!in_place) copy_elements(input, 0, *out, 0, n);
    copy_band(ctx, diagonal, *out, input.shape().product(0, rank - 2), {rows, cols, band, longest, align_}, true);
    return Status();
  }

 private:
  static Status check_diagonal(const Shape& input, const Shape& diagonal, const Band& band, int64_t longest) {
    const int rank = diagonal.rank();
    if (!band.single() && (rank < 2 || diagonal.dim(rank - 2) != band.count())) {
      return invalid_argument(
          "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and "
          "`upper_diag_index`");
    }
    Shape expected = input;
    expected.remove_dim(input.rank() - 1);
    expected.remove_dim(input.rank() - 2);
    if (!band.single()) expected.add_dim(band.count());
    expected.add_dim(longest);
    if (diagonal == expected) return Status();
    return invalid_argument(
        "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to the "
        "longests diagonal in range [lower_diag_index:upper_diag_index].");
  }

  const Alignment align_;
};

/// Sets `band` to the band in input i, if its value is known.
Status known_band(ShapeContext& c, int i, std::optional<Band>* band) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(i, 1));
  const Tensor* k = c.input_tensor(i);
  if (k == nullptr) return Status();
  const int64_t n = k->num_elements();
  if (n < 1 || n > 2) {
    return invalid_argument("diag_index must be a vector with one or two elements. It has ", n, " elements.");
  }
  *band = Band{k->int_at(0), k->int_at(n - 1)};
  if ((*band)->lower > (*band)->upper) return invalid_argument("lower_diag_index is greater than upper_diag_index");
  return Status();
}

/// Refuses bands with diagonals that matrices of these sizes cannot have. Unknown sizes allow every band.
Status check_known_band(const PartialShape& matrices, const Band& band) {
  if (!matrices.known_rank()) return Status();
  constexpr int64_t kAny = int64_t{1} << 32;  // larger than every int32
  const int64_t rows = matrices.dim(-2) < 0 ? kAny : matrices.dim(-2);
  const int64_t cols = matrices.dim(-1) < 0 ? kAny : matrices.dim(-1);
  if (!has_diagonal(rows, cols, band.lower)) return invalid_argument("lower_diag_index is out of bound.");
  if (!has_diagonal(rows, cols, band.upper)) return invalid_argument("upper_diag_index is out of bound.");
  return Status();
}

/// A size that an input gives. `value` is negative if the input is unknown, or if it is -1 and so depends on the
/// unknown `longest`.
struct GivenSize {
  bool known = false;
  int64_t value = -1;

  static GivenSize of(const Tensor* scalar) {
    return scalar == nullptr ? GivenSize{} : GivenSize{true, scalar->int_at(0)};
  }
  int64_t known_or_unknown_dim() const { return known && value != -1 ? value : kUnknownDim; }
};

Status banded_diag_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  std::optional<Band> band;
  TINYTF_RETURN_IF_ERROR(known_band(c, 1, &band));
  for (int i = 2; i <= 4; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  const PartialShape& diagonal = c.input(0);
  if (!band || !diagonal.known_rank()) return Status();
  if (!band->single()) {
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
    if (diagonal.dim(-2) >= 0 && diagonal.dim(-2) != band->count()) {
      return invalid_argument(
          "The number of rows of `diagonal` doesn't match the number of diagonals implied from `d_lower` and "
          "`d_upper`.");
    }
  }
  const auto given_rows = GivenSize::of(c.input_tensor(2)), given_cols = GivenSize::of(c.input_tensor(3));
  int64_t rows = given_rows.known_or_unknown_dim(), cols = given_cols.known_or_unknown_dim();
  if (rows < -1) return invalid_argument("num_rows is too small");
  if (cols < -1) return invalid_argument("num_cols is too small.");
  if (const int64_t longest = diagonal.dim(-1); longest >= 0) {
    const MatrixSize least = least_size(*band, longest);
    if (rows >= 0 && rows < least.rows.value()) return invalid_argument("num_rows is too small");
    if (cols >= 0 && cols < least.cols.value()) return invalid_argument("num_cols is too small.");
    if (rows > least.rows.value() && cols > least.cols.value()) {
      return invalid_argument(
          "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the length of the "
          "given diagonals.");
    }
    if (given_rows.known && given_cols.known) {
      const MatrixSize size = complete(least, given_rows.value, given_cols.value);
      rows = size.rows.value();
      cols = size.cols.value();
    }
  }
  c.set_output(0, diagonal.slice(0, band->single() ? -1 : -2).concatenate(PartialShape::matrix(rows, cols)));
  return Status();
}

Status banded_diag_part_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  std::optional<Band> band;
  TINYTF_RETURN_IF_ERROR(known_band(c, 1, &band));
  if (!band) return Status();
  TINYTF_RETURN_IF_ERROR(check_known_band(input, *band));
  PartialShape out = input.slice(0, -2);
  if (!band->single()) out.add_dim(band->count());
  const bool sized = input.dim(-2) >= 0 && input.dim(-1) >= 0;
  out.add_dim(sized ? longest_of(input.dim(-2), input.dim(-1), *band).value() : kUnknownDim);
  c.set_output(0, std::move(out));
  return Status();
}

/// The output has the input's shape. As in TensorFlow, sizes of the diagonal serve only to complete it, and the kernel
/// rejects others.
Status banded_set_diag_shape(ShapeContext& c) {
  const PartialShape &input = c.input(0), &diagonal = c.input(1);
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 1));
  std::optional<Band> band;
  TINYTF_RETURN_IF_ERROR(known_band(c, 2, &band));
  if (input.known_rank()) {
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, input.rank() - 1));
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(1, input.rank()));
    if (band) TINYTF_RETURN_IF_ERROR(c.with_rank(1, input.rank() - (band->single() ? 1 : 0)));
    if (band) TINYTF_RETURN_IF_ERROR(check_known_band(input, *band));
  }
  c.set_output(0, input);
  if (!diagonal.known_rank() || input.fully_defined() || (!band && !input.known_rank())) return Status();
  const bool single = band ? band->single() : diagonal.rank() < input.rank();
  if (!single) TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 2));
  const PartialShape batch = diagonal.slice(0, single ? -1 : -2);
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, batch.concatenate(PartialShape::unknown_of_rank(2)).merge(input));
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_diag_bands) {
  using namespace tinytf::ops;
  constexpr const char* kAlign = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'";
  constexpr const char* kPacking =
      " `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are "
      "packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest.";
  constexpr const char* kAligned =
      " `align` says at which end of their rows the diagonals above and below the main diagonal are aligned.";
  const auto doc = [&](bool aligned, const char* text) {
    return std::string(text) + kPacking + (aligned ? kAligned : "");
  };
  for (const bool aligned : {false, true}) {
    auto diag = ops.op(aligned ? "MatrixDiagV3" : "MatrixDiagV2")
                    .input("diagonal: T")
                    .input("k: int32")
                    .input("num_rows: int32")
                    .input("num_cols: int32")
                    .input("padding_value: T")
                    .output("output: T")
                    .attr("T: type");
    if (aligned) diag.attr(kAlign);
    diag.shape(banded_diag_shape)
        .doc(doc(aligned,
                 "Returns matrices with the given diagonals and `padding_value` elsewhere. If `num_rows` or `num_cols` "
                 "is -1 it is the smallest possible number; if both are, the matrices are square."));
    kernels.add<BandedDiagKernel>(aligned ? "MatrixDiagV3" : "MatrixDiagV2").where("T", kPlain);

    auto part = ops.op(aligned ? "MatrixDiagPartV3" : "MatrixDiagPartV2")
                    .input("input: T")
                    .input("k: int32")
                    .input("padding_value: T")
                    .output("diagonal: T")
                    .attr("T: type");
    if (aligned) part.attr(kAlign);
    part.shape(banded_diag_part_shape)
        .doc(doc(
            aligned,
            "Returns diagonals of the matrices in the last two dimensions of `input`, padded with `padding_value`."));
    kernels.add<BandedDiagPartKernel>(aligned ? "MatrixDiagPartV3" : "MatrixDiagPartV2").where("T", kPlain);

    auto set = ops.op(aligned ? "MatrixSetDiagV3" : "MatrixSetDiagV2")
                   .input("input: T")
                   .input("diagonal: T")
                   .input("k: int32")
                   .output("output: T")
                   .attr("T: type");
    if (aligned) set.attr(kAlign);
    set.shape(banded_set_diag_shape)
        .doc(doc(aligned, "Returns `input` with some diagonals of its matrices replaced by `diagonal`."));
    kernels.add<BandedSetDiagKernel>(aligned ? "MatrixSetDiagV3" : "MatrixSetDiagV2").where("T", kPlain);
  }
}
