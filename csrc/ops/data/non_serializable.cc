#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class NonSerializableDataset final : public UnaryDataset {
 public:
  NonSerializableDataset(DatasetParts parts, RefPtr<const Dataset> input)
      : UnaryDataset(std::move(parts), std::move(input)) {}
  int64_t cardinality() const override { return input().cardinality(); }
  bool has_graph() const override { return false; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override { return input().make_iterator(ctx); }
};

class NonSerializableKernel final : public DatasetKernel {
 public:
  explicit NonSerializableKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<NonSerializableDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_non_serializable) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<NonSerializableKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("NonSerializableDataset")
      .doc("Makes a dataset with the elements of the input, which has no form as a graph.");
  declare("ExperimentalNonSerializableDataset").doc("An earlier name of NonSerializableDataset.");
}
