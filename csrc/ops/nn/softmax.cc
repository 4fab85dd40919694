#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"

namespace tinytf::ops {

namespace {

Status softmax_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  return shapes::unchanged(c);
}

template <kernels::SoftmaxLoop (kernels::SoftmaxTable::*kLoops)[kDTypeCount]>
class SoftmaxKernel final : public Kernel {
 public:
  explicit SoftmaxKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().softmax.*kLoops, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& logits = ctx.input(0);
    if (logits.rank() < 1) {
      return invalid_argument("logits must have >= 1 dimension, got ", logits.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, logits.shape()));
    const int64_t n = logits.num_elements();
    if (n == 0) return Status();
    const int64_t columns = logits.dim(logits.rank() - 1);
    kernels::run_softmax(loop_, logits.dtype(), logits.raw(), out->raw(), n / columns, columns, ctx.parallel());
    return Status();
  }

 private:
  kernels::SoftmaxLoop loop_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_softmax) {
  using namespace tinytf::ops;

  ops.op("Softmax")
      .input("logits: T")
      .output("softmax: T")
      .attr("T: {half, bfloat16, float, double}")
      .shape(softmax_shape)
      .doc(
          "Computes `exp(logits) / sum(exp(logits))` along the last dimension. `logits` must have at least one "
          "dimension.");
  kernels.add<SoftmaxKernel<&kernels::SoftmaxTable::softmax>>("Softmax").where("T", kAllFloats);

  ops.op("LogSoftmax")
      .input("logits: T")
      .output("logsoftmax: T")
      .attr("T: {half, bfloat16, float, double}")
      .shape(softmax_shape)
      .doc(
          "Computes `logits - log(sum(exp(logits)))` along the last dimension. `logits` must have at least one "
          "dimension.");
  kernels.add<SoftmaxKernel<&kernels::SoftmaxTable::log_softmax>>("LogSoftmax").where("T", kAllFloats);
}
