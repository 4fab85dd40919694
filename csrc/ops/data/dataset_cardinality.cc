#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {
namespace {

class CardinalityKernel final : public Kernel {
 public:
  explicit CardinalityKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    ctx.set_output(0, Tensor::scalar(dataset->cardinality()));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dataset_cardinality) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<CardinalityKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .output("cardinality: int64")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("DatasetCardinality")
      .doc(
          "Returns the number of elements of the dataset, -1 if it has no end, or -2 if the number is unknown without "
          "iteration.");
  declare("ExperimentalDatasetCardinality").doc("An earlier name of DatasetCardinality.");
}
