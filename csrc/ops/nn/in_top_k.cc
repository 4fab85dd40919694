#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {

namespace {

Status in_top_k_shape(ShapeContext& c) {
  PartialShape predictions;
  PartialShape targets;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &predictions));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &targets));
  TINYTF_ASSIGN_OR_RETURN(const int64_t batch, merge_dims(predictions.dim(0), targets.dim(0)));
  c.set_output(0, PartialShape::vector(batch));
  return Status();
}

class InTopKKernel final : public Kernel {
 public:
  explicit InTopKKernel(KernelInit& init) : loop_(kernels::table().gather.in_top_k) {
    if (init.node().inputs.size() == 2) k_ = init.attr<int64_t>("k");
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& predictions = ctx.input(0);
    const Tensor& targets = ctx.input(1);
    int64_t k = k_;
    if (ctx.num_inputs() == 3) {
      if (ctx.input(2).rank() != 0) {
        return invalid_argument("k must be 0-D, got shape ", ctx.input(2).shape().to_string());
      }
      k = ctx.input(2).int_at(0);
    }
    if (predictions.rank() != 2) return invalid_argument("predictions must be 2-dimensional");
    if (targets.rank() != 1) return invalid_argument("targets must be 1-dimensional");
    if (predictions.dim(0) != targets.dim(0)) {
      return invalid_argument("First dimension of predictions ", predictions.dim(0), " must match length of targets ",
                              targets.dim(0));
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * precision, ctx.allocate_output(0, targets.shape()));
    loop_(predictions.data<float>(), predictions.dim(1), {targets.raw(), targets.dtype(), targets.dim(0)}, k,
          precision->data<bool>(), ctx.parallel());
    return Status();
  }

 private:
  decltype(kernels::GatherTable::in_top_k) loop_;
  int64_t k_ = 0;  // for InTopK; InTopKV2 takes k as an input
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_in_top_k) {
  using namespace tinytf::ops;

  ops.op("InTopKV2")
      .input("predictions: float")
      .input("targets: T")
      .input("k: T")
      .output("precision: bool")
      .attr("T: {int32, int64} = DT_INT32")
      .shape(in_top_k_shape)
      .no_gradient()
      .doc(
          "Computes for each row of `predictions` [batch, classes] whether the class given by `targets` [batch] is "
          "among the `k` largest predictions. Ties at the boundary all count as among the largest. The result is false "
          "if the target is out of range or its prediction is not finite.");
  kernels.add<InTopKKernel>("InTopKV2");

  ops.op("InTopK")
      .input("predictions: float")
      .input("targets: T")
      .output("precision: bool")
      .attr("k: int")
      .attr("T: {int32, int64} = DT_INT32")
      .shape(in_top_k_shape)
      .no_gradient()
      .doc("Computes the same as `InTopKV2`, with `k` as an attr. Older graphs use it.");
  kernels.add<InTopKKernel>("InTopK");
}
