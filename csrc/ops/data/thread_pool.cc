#include "ops/data/shared/resource_input.h"
#include "ops/data/shared/same_elements.h"
#include "ops/data_flow/shared/named_state.h"

namespace tinytf::ops {
namespace {

/// A handle that programs pass on: all pipelines run on the process's pool of threads.
class ThreadPoolResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::experimental::(anonymous namespace)::ThreadPoolResource";
  static constexpr const char* kRegistryType = "N10tensorflow4data12experimental12_GLOBAL__N_118ThreadPoolResourceE";
  static constexpr const char* kNoun = "thread pool";

  std::string debug_string() const override { return "ThreadPoolResource"; }
};

struct ThreadPoolMaker {
  using State = ThreadPoolResource;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kNodeName;

  explicit ThreadPoolMaker(KernelInit& init) {
    if (init.int32_attr("num_threads") <= 0) init.fail(invalid_argument("`num_threads` must be greater than zero."));
    (void)init.int32_attr("max_intra_op_parallelism");
  }
  RefPtr<Resource> make(const std::string&) const { return make_ref<ThreadPoolResource>(); }
  Status check(const State&) const { return Status(); }
};

class ThreadPoolDatasetKernel final : public DatasetKernel {
 public:
  explicit ThreadPoolDatasetKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_RETURN_IF_ERROR(resource_input<ThreadPoolResource>(ctx, 1).status());
    return RefPtr<const Dataset>(make_ref<SameElementsDataset>(std::move(parts), std::move(input)));
  }
};

class PrivateThreadPoolKernel final : public DatasetKernel {
 public:
  explicit PrivateThreadPoolKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t threads, scalar_input<int64_t>(ctx, 1, "num_threads"));
    if (threads < 1) return invalid_argument("`num_threads` must be >= 1");
    return RefPtr<const Dataset>(make_ref<SameElementsDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_thread_pool) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<ThreadPoolDatasetKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("thread_pool: resource")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .trait(Trait::kReadsResource)
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("ThreadPoolDataset")
      .doc(
          "Makes a dataset of the elements of the input. TensorFlow makes them with the threads of `thread_pool`; here "
          "all pipelines share the threads of the process.");
  declare("ExperimentalThreadPoolDataset").doc("An earlier name of ThreadPoolDataset.");

  const auto declare_private = [&](const char* name) {
    kernels.add<PrivateThreadPoolKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("num_threads: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare_private("PrivateThreadPoolDataset")
      .doc(
          "Makes a dataset of the elements of the input. TensorFlow makes them with `num_threads` threads of their "
          "own; here all pipelines share the threads of the process.");
  declare_private("ExperimentalPrivateThreadPoolDataset").doc("An earlier name of PrivateThreadPoolDataset.");

  const auto declare_handle = [&](const char* name) {
    kernels.add<NamedStateKernel<ThreadPoolMaker>>(name);
    return ops.op(name)
        .output("handle: resource")
        .attr("num_threads: int")
        .attr("max_intra_op_parallelism: int = 1")
        .attr("display_name: string")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare_handle("ThreadPoolHandle")
      .doc("Returns the handle of a pool of threads for ThreadPoolDataset, which lives as long as the session.");
  declare_handle("ExperimentalThreadPoolHandle").doc("An earlier name of ThreadPoolHandle.");
}
