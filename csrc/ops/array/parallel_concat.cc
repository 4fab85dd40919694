#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

class ParallelConcatKernel final : public Kernel {
 public:
  explicit ParallelConcatKernel(KernelInit& init) : shape_(init.attr<PartialShape>("shape")) {
    if (!shape_.fully_defined() || shape_.rank() == 0 || shape_.dim(0) != init.attr<int64_t>("N")) {
      init.fail(invalid_argument("The shape attr must be fully defined, with one row for each input, got ",
                                 shape_.to_string()));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Shape shape = shape_.to_shape();
    Shape row = shape;
    row.set_dim(0, 1);
    PieceSizes inner;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (ctx.input(i).shape() != row) {
        return invalid_argument("Input ", i, " of ParallelConcat should have shape ", row.to_string(), ", but has ",
                                ctx.input(i).shape().to_string());
      }
      inner.push_back(row.num_elements());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (shape.num_elements() > 0) concat_inputs(ctx, 0, inner, 1, *out);
    return Status();
  }

 private:
  const PartialShape shape_;
};

Status parallel_concat_shape(ShapeContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  if (!shape.fully_defined()) return invalid_argument("shape attr must be fully defined.");
  PartialShape row = shape;
  if (row.rank() > 0) row.set_dim(0, 1);
  for (int i = 0; i < c.num_inputs(); ++i) {
    const PartialShape& input = c.input(i);
    if (!input.fully_defined()) return invalid_argument("All input shapes must be fully defined.");
    if (input.rank() == 0 || input.dim(0) != 1) return invalid_argument("Size of first dimension must be 1.");
    auto merged = input.merge(row);
    if (!merged.ok()) {
      return invalid_argument(merged.status().message(), "\n\tFrom merging shape ", i, " with other shapes.");
    }
  }
  c.set_output(0, shape);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_parallel_concat) {
  using namespace tinytf::ops;
  ops.op("ParallelConcat")
      .input("values: N * T")
      .output("output: T")
      .attr("N: int >= 1")
      .attr("T: type")
      .attr("shape: shape")
      .shape(parallel_concat_shape)
      .no_gradient()
      .doc(
          "Concatenates the N tensors of shape [1, ...] in `values` along dimension 0 into a tensor of the given "
          "`shape` [N, ...].");
  kernels.add<ParallelConcatKernel>("ParallelConcat").where("T", any_of({kPlain, {DType::kString}}));
}
