#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class LMDBKernel final : public DatasetKernel {
 public:
  explicit LMDBKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext&, DatasetParts) override {
    return unimplemented(
        "Datasets of LMDB files are not supported. Read the file with the Python package `lmdb` in a generator "
        "(Dataset.from_generator), or convert it to TFRecord files.");
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_lmdb) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<LMDBKernel>(name);
    return ops.op(name)
        .input("filenames: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("LMDBDataset").doc("Fails: datasets of LMDB files are not supported.");
  declare("ExperimentalLMDBDataset").doc("An earlier name of LMDBDataset.");
}
