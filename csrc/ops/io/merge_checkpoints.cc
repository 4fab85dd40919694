#include "io/bundle_merge.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

class MergeCheckpointsKernel final : public Kernel {
 public:
  explicit MergeCheckpointsKernel(KernelInit& init) : delete_old_dirs_(init.attr<bool>("delete_old_dirs")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& prefixes = ctx.input(0);
    const Tensor& destination = ctx.input(1);
    if (prefixes.rank() != 1) {
      return invalid_argument("Input checkpoint_prefixes should be an 1-D tensor, got ", prefixes.shape().to_string(),
                              " instead.");
    }
    if (destination.rank() != 0) {
      return invalid_argument("Input destination_prefix should be a scalar tensor, got ",
                              destination.shape().to_string(), " instead.");
    }
    const auto* first = prefixes.data<std::string>();
    return merge_bundles({first, first + prefixes.num_elements()}, *destination.data<std::string>(), delete_old_dirs_);
  }

 private:
  const bool delete_old_dirs_;
};

Status merge_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  return c.with_rank(1, 0);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_merge_checkpoints) {
  using namespace tinytf::ops;
  ops.op("MergeV2Checkpoints")
      .input("checkpoint_prefixes: string")
      .input("destination_prefix: string")
      .attr("delete_old_dirs: bool = true")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(merge_shape)
      .not_differentiable()
      .doc(
          "Merges the checkpoints `checkpoint_prefixes` into one at `destination_prefix`, moving their data files. "
          "Fails with InvalidArgument, without any effect, if two of them have a tensor with the same name that is not "
          "sliced.");
  kernels.add<MergeCheckpointsKernel>("MergeV2Checkpoints");
}
