#include "ops/data/shared/shard_dataset.h"

namespace tinytf::ops {
namespace {

class ShardKernel final : public DatasetKernel {
 public:
  explicit ShardKernel(KernelInit& init) : DatasetKernel(init), needs_all_(init.attr<bool>("require_non_empty")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t shards, scalar_input<int64_t>(ctx, 1, "num_shards"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, scalar_input<int64_t>(ctx, 2, "index"));
    if (shards <= 0) {
      return invalid_argument("Number of shards must be greater than zero (currently num_shards = ", shards, ").");
    }
    if (index < 0 || index >= shards) {
      return invalid_argument("Index must be between 0 and ", shards - 1, " (currently index = ", index, ").");
    }
    return RefPtr<const Dataset>(make_ref<ShardDataset>(std::move(parts), std::move(input), shards, index, needs_all_));
  }

 private:
  const bool needs_all_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_shard) {
  using namespace tinytf::ops;
  ops.op("ShardDataset")
      .input("input_dataset: variant")
      .input("num_shards: int64")
      .input("index: int64")
      .output("handle: variant")
      .attr("require_non_empty: bool = false")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of every `num_shards`-th element of the input, from element `index` on. With "
          "`require_non_empty`, iteration fails if the input has fewer elements than `num_shards`.");
  kernels.add<ShardKernel>("ShardDataset");
}
