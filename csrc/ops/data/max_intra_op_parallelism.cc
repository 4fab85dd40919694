#include "ops/data/shared/same_elements.h"

namespace tinytf::ops {
namespace {

class MaxIntraOpParallelismKernel final : public DatasetKernel {
 public:
  explicit MaxIntraOpParallelismKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t limit, scalar_input<int64_t>(ctx, 1, "max_intra_op_parallelism"));
    if (limit < 0) return invalid_argument("`max_intra_op_parallelism` must be >= 0");
    return RefPtr<const Dataset>(make_ref<SameElementsDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_max_intra_op_parallelism) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MaxIntraOpParallelismKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("max_intra_op_parallelism: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("MaxIntraOpParallelismDataset")
      .doc(
          "Makes a dataset of the elements of the input. TensorFlow runs its kernels with at most "
          "`max_intra_op_parallelism` threads; here the session decides.");
  declare("ExperimentalMaxIntraOpParallelismDataset").doc("An earlier name of MaxIntraOpParallelismDataset.");
}
