#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// A dataset with the elements of its input, in whose pipelines numbers that the program leaves open are tuned.
class ModelDataset final : public UnaryDataset {
 public:
  ModelDataset(DatasetParts parts, RefPtr<const Dataset> input, data::Tuner::Options options)
      : UnaryDataset(std::move(parts), std::move(input)), options_(options) {}

  int64_t cardinality() const override { return input().cardinality(); }
  bool is_stage() const override { return false; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override {
    if (ctx.tasks.tuner() == nullptr) ctx.tasks.set_tuner(make_ref<data::Tuner>(options_));
    return input().make_iterator(ctx);
  }

 private:
  const data::Tuner::Options options_;
};

class ModelKernel final : public DatasetKernel {
 public:
  explicit ModelKernel(KernelInit& init) : DatasetKernel(init) {
    options_.processors = init.attr<int64_t>("cpu_budget");
    if (const auto* memory = init.node().attrs.get<int64_t>("_memory_budget")) options_.memory = *memory;
  }

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<ModelDataset>(std::move(parts), std::move(input), options_));
  }

 private:
  data::Tuner::Options options_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_model) {
  using namespace tinytf::ops;
  ops.op("ModelDataset")
      .input("input_dataset: variant")
      .output("handle: variant")
      .attr("algorithm: int = 0")
      .attr("cpu_budget: int = 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Has the elements of the input. Sizes of buffers and parallelism that the program leaves open are chosen "
          "while "
          "it is iterated over, so that the consumer waits as little as possible. They use at most `cpu_budget` "
          "threads; "
          "0: all of the process.");
  kernels.add<ModelKernel>("ModelDataset");
}
