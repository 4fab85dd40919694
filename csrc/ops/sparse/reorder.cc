#include "op/kept_value.h"
#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/sparse/shared/row_order.h"

namespace tinytf::ops {
namespace {

Status shape(ShapeContext& c) {
  PartialShape indices, values;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &indices));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &values));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  c.set_output(0, indices);
  c.set_output(1, values);
  return Status();
}

class SparseReorderKernel final : public Kernel {
 public:
  explicit SparseReorderKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1);
    TINYTF_RETURN_IF_ERROR(check(indices, values, ctx.input(2)));
    const int64_t n = indices.dim(0), rank = indices.dim(1);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out_indices, ctx.allocate_output(0, indices.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out_values, ctx.allocate_output(1, values.shape()));
    // The memory of a fed value may be changed concurrently.
    TINYTF_ASSIGN_OR_RETURN(const Tensor own, kept_value(ctx, indices));
    const auto* const rows = own.data<int64_t>();
    TINYTF_ASSIGN_OR_RETURN(const std::vector<int64_t> order, row_order(ctx, rows, n, rank));
    ctx.parallel().run(n, 1, row_cost(values, 1) + row_cost(indices, rank), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::copy_n(rows + order[i] * rank, rank, out_indices->data<int64_t>() + i * rank);
        copy_elements(values, order[i], *out_values, i, 1);
      }
    });
    return Status();
  }

 private:
  static Status check(const Tensor& indices, const Tensor& values, const Tensor& shape) {
    if (indices.rank() != 2) {
      return invalid_argument("Input indices should be a matrix but received shape ", indices.shape().to_string());
    }
    if (values.rank() != 1) {
      return invalid_argument("Input values should be a vector but received shape ", values.shape().to_string());
    }
    if (shape.rank() != 1) {
      return invalid_argument("Input shape should be a vector but received shape ", shape.shape().to_string());
    }
    if (indices.dim(0) != values.dim(0)) {
      return invalid_argument("indices and values rows (indexing dimension) must match. (indices = ", indices.dim(0),
                              ", values = ", values.dim(0), ")");
    }
    if (indices.dim(1) != shape.dim(0)) return invalid_argument("Order length must be SparseTensor rank.");
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_reorder) {
  using namespace tinytf::ops;
  ops.op("SparseReorder")
      .input("input_indices: int64")
      .input("input_values: T")
      .input("input_shape: int64")
      .output("output_indices: int64")
      .output("output_values: T")
      .attr("T: type")
      .shape(shape)
      .doc(
          "Sorts the elements of a SparseTensor by their indices, the rows of `input_indices`. Elements with equal "
          "indices keep their order.");
  kernels.add<SparseReorderKernel>("SparseReorder");
}
