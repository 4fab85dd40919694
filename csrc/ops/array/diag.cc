#include <cstring>

#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

/// Allocates output 0 and fills it with zeros.
Result<Tensor*> zeros(KernelContext& ctx, const Shape& shape) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
  if (const size_t size = dtype_size(out->dtype())) {
    kernels::table().copy.fill(out->raw(), kZeroElement, size, out->num_elements(), ctx.parallel());
  }
  return out;
}

/// Copies the main diagonals of matrices [batch, rows, cols] to vectors [batch, min(rows, cols)], or back if `src`
/// holds the vectors.
void copy_diagonals(KernelContext& ctx, const Tensor& src, Tensor& dst, int64_t batch, int64_t rows, int64_t cols,
                    bool src_is_matrix) {
  const int64_t n = std::min(rows, cols);
  const int64_t dims[] = {batch, n}, in_matrix[] = {rows * cols, cols + 1}, in_vector[] = {n, 1};
  kernels::table().copy.strided(src.raw(), dst.raw(), dtype_size(src.dtype()), 2, dims,
                                src_is_matrix ? in_matrix : in_vector, src_is_matrix ? in_vector : in_matrix,
                                ctx.parallel());
}

/// Kernel of Diag, which treats the whole input as one vector and doubles its shape, and of MatrixDiag.
class DiagKernel final : public Kernel {
 public:
  DiagKernel(KernelInit&, bool batched) : batched_(batched) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& diagonal = ctx.input(0);
    if (diagonal.rank() < 1) {
      return invalid_argument(
          batched_ ? "diagonal must be at least 1-dim, received shape: " : "Input must be at least rank 1, got 0: ",
          diagonal.shape().to_string());
    }
    Shape shape = diagonal.shape();
    const int64_t n = batched_ ? shape.dim(shape.rank() - 1) : shape.num_elements();
    if (batched_) {
      shape.add_dim(n);
    } else {
      for (int d = 0; d < diagonal.rank(); ++d) shape.add_dim(diagonal.dim(d));
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, zeros(ctx, shape));
    if (n > 0) copy_diagonals(ctx, diagonal, *out, diagonal.num_elements() / n, n, n, false);
    return Status();
  }

 private:
  const bool batched_;
};

Status diag_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  c.set_output(0, c.input(0).concatenate(c.input(0)));
  return Status();
}

Status matrix_diag_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  const PartialShape& input = c.input(0);
  if (input.known_rank()) c.set_output(0, input.concatenate(input.slice(-1)));
  return Status();
}

class DiagPartKernel final : public Kernel {
 public:
  explicit DiagPartKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int half = input.rank() / 2;
    if (input.rank() % 2 != 0 || half == 0) {
      return invalid_argument("The rank of the tensor should be even and positive, got shape ",
                              input.shape().to_string());
    }
    for (int d = 0; d < half; ++d) {
      if (input.dim(d) != input.dim(d + half)) {
        return invalid_argument("Invalid shape ", input.shape().to_string(), ": dimensions ", d, " and ", d + half,
                                " do not match.");
      }
    }
    Shape shape;
    for (int d = 0; d < half; ++d) shape.add_dim(input.dim(d));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (n > 0) copy_diagonals(ctx, input, *out, 1, n, n, true);
    return Status();
  }
};

Status diag_part_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  if (input.rank() % 2 != 0 || input.rank() <= 0) {
    return invalid_argument("Input must have even and non-zero rank, input rank is ", input.rank());
  }
  const int half = input.rank() / 2;
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, input.slice(0, half).merge(input.slice(half)));
  c.set_output(0, std::move(out));
  return Status();
}

class MatrixDiagPartKernel final : public Kernel {
 public:
  explicit MatrixDiagPartKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    if (rank < 2) return invalid_argument("input must be at least 2-dim, received shape: ", input.shape().to_string());
    const int64_t rows = input.dim(rank - 2), cols = input.dim(rank - 1);
    Shape shape = input.shape();
    shape.remove_dim(rank - 1);
    shape.set_dim(rank - 2, std::min(rows, cols));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() > 0) {
      copy_diagonals(ctx, input, *out, input.shape().product(0, rank - 2), rows, cols, true);
    }
    return Status();
  }
};

int64_t smaller(int64_t a, int64_t b) { return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? kUnknownDim : std::min(a, b); }

Status matrix_diag_part_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  PartialShape out = input.slice(0, -2);
  out.add_dim(smaller(input.dim(-2), input.dim(-1)));
  c.set_output(0, std::move(out));
  return Status();
}

class MatrixSetDiagKernel final : public Kernel {
 public:
  explicit MatrixSetDiagKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& diagonal = ctx.input(1);
    const int rank = input.rank();
    if (rank < 2) return invalid_argument("input must be at least 2-dim, received shape: ", input.shape().to_string());
    if (diagonal.rank() < 1) {
      return invalid_argument("diagonal must be at least 1-dim, received shape: ", diagonal.shape().to_string());
    }
    const int64_t rows = input.dim(rank - 2), cols = input.dim(rank - 1);
    Shape expected = input.shape();
    expected.remove_dim(rank - 1);
    expected.set_dim(rank - 2, std::min(rows, cols));
    if (diagonal.shape() != expected) {
      return invalid_argument(
          "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
          "the longests diagonal in range [lower_diag_index:upper_diag_index].\nInput shape: ",
          input.shape().to_string(), "\nDiagonal shape: ", diagonal.shape().to_string(),
          "\nExpected diagonal shape: ", expected.to_string());
    }
    const int64_t n = input.num_elements();
    const bool in_place = ctx.can_forward(0, input.dtype(), n);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, input.shape()));
    if (n == 0) return Status();
    if (!in_place) copy_elements(input, 0, *out, 0, n);
    copy_diagonals(ctx, diagonal, *out, input.shape().product(0, rank - 2), rows, cols, false);
    return Status();
  }
};

Status matrix_set_diag_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 1));
  PartialShape input = c.input(0);
  if (input.known_rank()) TINYTF_RETURN_IF_ERROR(c.with_rank(1, input.rank() - 1));
  const PartialShape& diagonal = c.input(1);
  TINYTF_RETURN_IF_ERROR(merge_dims(smaller(input.dim(-2), input.dim(-1)), diagonal.dim(-1)).status());
  if (diagonal.known_rank() && !input.fully_defined()) {
    PartialShape told = diagonal.slice(0, -1);
    told.add_dim(kUnknownDim);
    told.add_dim(kUnknownDim);
    TINYTF_ASSIGN_OR_RETURN(input, input.merge(told));
  }
  c.set_output(0, std::move(input));
  return Status();
}

class MatrixBandPartKernel final : public Kernel {
 public:
  explicit MatrixBandPartKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    if (rank < 2) return invalid_argument("input must be at least 2-dim, received shape: ", input.shape().to_string());
    for (int i = 1; i <= 2; ++i) {
      if (ctx.input(i).rank() != 0) {
        return invalid_argument(i == 1 ? "num_lower" : "num_upper", " must be scalar, got shape ",
                                ctx.input(i).shape().to_string());
      }
    }
    const int64_t rows = input.dim(rank - 2), cols = input.dim(rank - 1);
    int64_t lower = ctx.input(1).int_at(0), upper = ctx.input(2).int_at(0);
    if (lower > rows)
      return invalid_argument("num_lower must be negative or less or equal to number of rows (", rows,
                              ") got: ", lower);
    if (upper > cols)
      return invalid_argument("num_upper must be negative or less or equal to number of columns (", cols,
                              ") got: ", upper);
    if (lower < 0) lower = rows;
    if (upper < 0) upper = cols;
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, input.shape()));
    if (out->num_elements() == 0) return Status();
    const auto size = static_cast<int64_t>(dtype_size(input.dtype()));
    const int64_t lines = input.shape().product(0, rank - 1);
    const auto* from = input.data<char>();
    auto* to = out->data<char>();
    const bool in_place = from == to;
    ctx.parallel().run(lines, 1, 0.1 * static_cast<double>(cols * size), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t row = line % rows, at = line * cols * size;
        const int64_t first = std::min(std::max<int64_t>(0, row - lower), cols);
        const int64_t last = std::max(first, std::min(cols, row + upper + 1));
        std::memset(to + at, 0, static_cast<size_t>(first * size));
        if (!in_place)
          std::memcpy(to + at + first * size, from + at + first * size, static_cast<size_t>((last - first) * size));
        std::memset(to + at + last * size, 0, static_cast<size_t>((cols - last) * size));
      }
    });
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_diag) {
  using namespace tinytf::ops;
  constexpr const char* kTypes = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}";
  ops.op("Diag")
      .input("diagonal: T")
      .output("output: T")
      .attr(kTypes)
      .shape(diag_shape)
      .endpoint("linalg.tensor_diag")
      .endpoint("diag")
      .doc(
          "Returns a tensor of shape `diagonal.shape + diagonal.shape` with output[i…, i…] = diagonal[i…] and zeros "
          "elsewhere.");
  kernels.add("Diag", [](tinytf::KernelInit& init) { return std::make_unique<DiagKernel>(init, false); });

  ops.op("DiagPart")
      .input("input: T")
      .output("diagonal: T")
      .attr(kTypes)
      .shape(diag_part_shape)
      .endpoint("linalg.tensor_diag_part")
      .endpoint("diag_part")
      .doc(
          "Returns the diagonal part of `input`, diagonal[i…] = input[i…, i…]. The two halves of the shape of `input` "
          "must be equal.");
  kernels.add<DiagPartKernel>("DiagPart");

  ops.op("MatrixDiag")
      .input("diagonal: T")
      .output("output: T")
      .attr("T: type")
      .shape(matrix_diag_shape)
      .doc(
          "Returns square matrices with the vectors in the last dimension of `diagonal` on their main diagonals and "
          "zeros elsewhere.");
  kernels.add("MatrixDiag", [](tinytf::KernelInit& init) { return std::make_unique<DiagKernel>(init, true); })
      .where("T", kPlain);

  ops.op("MatrixDiagPart")
      .input("input: T")
      .output("diagonal: T")
      .attr("T: type")
      .shape(matrix_diag_part_shape)
      .doc("Returns the main diagonals of the matrices in the last two dimensions of `input`.");
  kernels.add<MatrixDiagPartKernel>("MatrixDiagPart").where("T", kPlain);

  ops.op("MatrixSetDiag")
      .input("input: T")
      .input("diagonal: T")
      .output("output: T")
      .attr("T: type")
      .shape(matrix_set_diag_shape)
      .doc(
          "Returns `input` with the main diagonals of the matrices in its last two dimensions replaced by `diagonal`.");
  kernels.add<MatrixSetDiagKernel>("MatrixSetDiag").where("T", kPlain);

  ops.op("MatrixBandPart")
      .input("input: T")
      .input("num_lower: Tindex")
      .input("num_upper: Tindex")
      .output("band: T")
      .attr("T: type")
      .attr("Tindex: {int32, int64} = DT_INT64")
      .shape(tinytf::shapes::unchanged)
      .endpoint("linalg.band_part")
      .endpoint("matrix_band_part")
      .doc(
          "Copies the matrices of `input` and zeroes all elements outside a central band of `num_lower` subdiagonals "
          "and `num_upper` superdiagonals. A negative number keeps all diagonals on that side.");
  kernels.add<MatrixBandPartKernel>("MatrixBandPart").where("T", kPlain);
}
