#include "kernels/table.h"
#include "op/registration.h"
#include "op/size_input.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"

namespace tinytf::ops {

namespace {

Status top_k_shape_of(ShapeContext& c, int64_t k) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1, &input));
  if (input.known_rank()) {
    const int64_t columns = input.dim(-1);
    if (columns != kUnknownDim && columns < k) {
      return invalid_argument("input must have last dimension >= k = ", k, " but is ", columns);
    }
    input.set_dim(-1, k);
  }
  c.set_output(0, input);
  c.set_output(1, std::move(input));
  return Status();
}

Status top_k_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t k, shapes::size_input(c, 1));
  return top_k_shape_of(c, k);
}

Status top_k_attr_shape(ShapeContext& c) { return top_k_shape_of(c, c.attr<int64_t>("k")); }

class TopKKernel final : public Kernel {
 public:
  explicit TopKKernel(KernelInit& init) : loop_(loop_of(init, kernels::table().gather.top_k, init.input_type(0))) {
    if (init.node().inputs.size() == 1) k_ = init.attr<int64_t>("k");
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    int64_t k = k_;
    if (ctx.num_inputs() == 2) {
      if (ctx.input(1).rank() != 0) {
        return invalid_argument("k must be scalar, got shape ", ctx.input(1).shape().to_string());
      }
      k = ctx.input(1).int_at(0);
    }
    if (k < 0) return invalid_argument("Need k >= 0, got ", k);
    if (input.rank() < 1) return invalid_argument("input must be >= 1-D, got shape ", input.shape().to_string());
    const int64_t columns = input.dim(input.rank() - 1);
    if (columns < k) return invalid_argument("input must have at least k columns");
    Shape shape = input.shape();
    shape.set_dim(shape.rank() - 1, k);
    TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(0, shape));
    TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(1, shape));
    if (shape.num_elements() == 0) return Status();
    loop_(input.raw(), input.num_elements() / columns, columns, k, values->raw(), indices->data<int32_t>(),
          ctx.parallel());
    return Status();
  }

 private:
  kernels::TopKFn loop_;
  int64_t k_ = 0;  // for TopK; TopKV2 takes k as an input
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_top_k) {
  using namespace tinytf::ops;

  ops.op("TopKV2")
      .input("input: T")
      .input("k: int32")
      .output("values: T")
      .output("indices: int32")
      .attr("sorted: bool = true")
      .attr("T: realnumbertype")
      .shape(top_k_shape)
      .doc(
          "Finds the `k` largest elements along the last dimension of `input` and their indices, both with shape "
          "input.shape[:-1] + [k]. The values descend even if `sorted` is false; equal elements are ordered by index. "
          "Fails with InvalidArgument unless 0 <= k <= input.shape[-1].");
  kernels.add<TopKKernel>("TopKV2").where("T", kReals);

  ops.op("TopK")
      .input("input: T")
      .output("values: T")
      .output("indices: int32")
      .attr("k: int >= 0")
      .attr("sorted: bool = true")
      .attr("T: realnumbertype")
      .shape(top_k_attr_shape)
      .doc("Computes the same as `TopKV2`, with `k` as an attr. Older graphs use it.");
  kernels.add<TopKKernel>("TopK").where("T", kReals);
}
