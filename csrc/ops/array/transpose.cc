#include "op/registration.h"
#include "ops/array/shared/element_moves.h"

namespace tinytf::ops {
namespace {

using Permutation = InlinedVector<int, 8>;

Status read_permutation(const Tensor& perm, int rank, Permutation* out) {
  if (perm.rank() != 1) return invalid_argument("perm must be a vector, not ", perm.shape().to_string());
  if (perm.dim(0) != rank) {
    return invalid_argument("transpose expects a vector of size ", rank, ". But input(1) is a vector of size ",
                            perm.dim(0));
  }
  InlinedVector<bool, 8> seen(rank, false);
  for (int i = 0; i < rank; ++i) {
    const int64_t d = perm.int_at(i);
    if (d < 0 || d >= rank) return invalid_argument(d, " is out of range [0 .. ", rank, ")");
    seen[d] = true;
    out->push_back(static_cast<int>(d));
  }
  for (int i = 0; i < rank; ++i) {
    if (!seen[i]) {
      return invalid_argument(i, " is missing from {", str_join(*out, ",", [](int d) { return str_cat(d); }), "}.");
    }
  }
  return Status();
}

class TransposeKernel final : public Kernel {
 public:
  TransposeKernel(KernelInit& init, bool conjugate) : transpose_(kernels::table().copy.transpose) {
    if (conjugate && is_complex(init.output_type(0))) {
      conjugate_ = kernels::table().elementwise.unary_loop(kernels::Unary::kConj, init.output_type(0));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const int rank = x.rank();
    Permutation perm;
    TINYTF_RETURN_IF_ERROR(read_permutation(ctx.input(1), rank, &perm));
    Shape shape = x.shape();
    bool in_order = true;  // apart from dimensions of size 1
    int last = -1;
    for (int i = 0; i < rank; ++i) {
      shape.set_dim(i, x.dim(perm[i]));
      if (shape.dim(i) == 1) continue;
      in_order &= perm[i] > last;
      last = perm[i];
    }
    if (in_order && !conjugate_) {
      ctx.set_output(0, x.reshaped(std::move(shape)));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, shape));
    if (y->num_elements() == 0) return Status();
    TINYTF_RETURN_IF_ERROR(move_elements(ctx, x, *y, [&](const void* src, void* dst, size_t bytes) {
      transpose_(src, dst, bytes, rank, x.shape().dims().data(), perm.data(), ctx.parallel());
    }));
    if (conjugate_) run_unary(conjugate_, y->raw(), y->raw(), y->num_elements(), ctx.parallel());
    return Status();
  }

 private:
  decltype(kernels::CopyTable::transpose) const transpose_;
  kernels::UnaryLoop conjugate_;
};

Status transpose_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  PartialShape perm_shape;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &perm_shape));
  if (input.known_rank() && perm_shape.dim(0) >= 0 && perm_shape.dim(0) != input.rank()) {
    return invalid_argument("Dimension must be ", input.rank(), " but is ", perm_shape.dim(0));
  }
  const Tensor* perm = c.input_tensor(1);
  int64_t rank = input.known_rank() ? input.rank() : perm_shape.dim(0);
  if (rank < 0 && perm != nullptr) rank = perm->num_elements();
  // TensorFlow infers nothing for such short permutations either.
  if (rank < 0 || (rank < 2 && !input.known_rank())) return Status();
  PartialShape out = PartialShape::unknown_of_rank(rank);
  if (perm != nullptr) {
    if (perm->num_elements() != rank) {
      return invalid_argument("Dimension must be ", rank, " but is ", perm->num_elements());
    }
    for (int i = 0; i < rank; ++i) {
      const int64_t d = perm->int_at(i);
      // As in TensorFlow, the kernel rejects numbers that count from the end.
      if (d < -rank || d >= rank) return invalid_argument("perm dim ", d, " is out of range of input rank ", rank);
      if (input.known_rank()) out.set_dim(i, input.dim(d));
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

class InvertPermutationKernel final : public Kernel {
 public:
  explicit InvertPermutationKernel(KernelInit& init)
      : dtype_(init.output_type(0)), invert_(kernels::table().gather.invert_permutation) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    if (x.rank() != 1) return invalid_argument("invert_permutation expects a 1D vector.");
    const int64_t n = x.dim(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, x.shape()));
    const int64_t bad = invert_({x.raw(), dtype_, n}, y->raw(), ctx.parallel());
    if (bad == kernels::kAllInRange) return Status();
    const int64_t value = x.int_at(bad);
    if (value < 0 || value >= n) return invalid_argument(value, " is not between 0 and ", n);
    return invalid_argument(value, " is duplicated in the input.");
  }

 private:
  const DType dtype_;
  decltype(kernels::GatherTable::invert_permutation) const invert_;
};

Status vector_shape(ShapeContext& c) {
  PartialShape shape;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1, &shape));
  c.set_output(0, std::move(shape));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_transpose) {
  using namespace tinytf::ops;
  ops.op("Transpose")
      .input("x: T")
      .input("perm: Tperm")
      .output("y: T")
      .attr("T: type")
      .attr("Tperm: {int32, int64} = DT_INT32")
      .shape(transpose_shape)
      .doc("Permutes the dimensions of `x`: dimension i of `y` is dimension `perm[i]` of `x`.");
  kernels.add("Transpose", [](tinytf::KernelInit& init) { return std::make_unique<TransposeKernel>(init, false); });

  ops.op("ConjugateTranspose")
      .input("x: T")
      .input("perm: Tperm")
      .output("y: T")
      .attr("T: type")
      .attr("Tperm: {int32, int64} = DT_INT32")
      .shape(transpose_shape)
      .doc("Permutes the dimensions of `x` as Transpose does and conjugates every element.");
  kernels.add("ConjugateTranspose",
              [](tinytf::KernelInit& init) { return std::make_unique<TransposeKernel>(init, true); });

  ops.op("InvertPermutation")
      .input("x: T")
      .output("y: T")
      .attr("T: {int32, int64} = DT_INT32")
      .shape(vector_shape)
      .not_differentiable()
      .endpoint("math.invert_permutation")
      .endpoint("invert_permutation")
      .doc(
          "Computes the inverse of the permutation `x`: y[x[i]] = i. Fails with InvalidArgument unless `x` is a "
          "permutation of 0 … n - 1.");
  kernels.add<InvertPermutationKernel>("InvertPermutation");
}
