#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/parse_number.h"
#include "data/rewrite_site.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

/// The names of TensorFlow's rewrites. Those without a member in DatasetRewrites change nothing that a program sees.
constexpr std::string_view kRewrites[] = {"filter_fusion",
                                          "hoist_random_uniform",
                                          "inject_prefetch",
                                          "latency_all_edges",
                                          "make_sloppy",
                                          "make_stateless",
                                          "map_and_batch_fusion",
                                          "map_and_filter_fusion",
                                          "map_fusion",
                                          "map_parallelization",
                                          "map_vectorization",
                                          "noop_elimination",
                                          "parallel_batch",
                                          "shuffle_and_repeat_fusion",
                                          "slack"};

/// Whether datasets of the node may be rewritten: whether their class overrides Dataset::rewritten.
bool is_rewritten(const NodeInfo& node) {
  static constexpr std::string_view kOps[] = {"BatchDataset",  "BatchDatasetV2", "PrefetchDataset",
                                              "RepeatDataset", "SkipDataset",    "TakeDataset"};
  return std::find(std::begin(kOps), std::end(kOps), node.op->name) != std::end(kOps);
}

/// A dataset's own stages are its origin, the origins of its inputs, and so on: the graph that TensorFlow rewrites.
class PipelineRewriter {
 public:
  PipelineRewriter(const KernelServices& step, const DatasetRewrites& rewrites) : step_(step), rewrites_(rewrites) {}

  /// The dataset with all rewrites; the dataset itself if there are none.
  Result<RefPtr<const Dataset>> rewrite(const Dataset& dataset) {
    if (const auto known = done_.find(&dataset); known != done_.end()) return known->second;
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> made, rewrite_inside(dataset));
    const data::RewriteSite site(step_, rewrites_, /*constants=*/~uint64_t{0}, /*maker=*/0);
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> other, made->rewritten(site));
    return done_.emplace(&dataset, other ? std::move(other) : std::move(made)).first->second;
  }

 private:
  /// The dataset with rewritten inputs and functions.
  Result<RefPtr<const Dataset>> rewrite_inside(const Dataset& dataset) {
    RefPtr<const Dataset> same = RefPtr<const Dataset>::share(&dataset);
    if (!dataset.has_graph()) return same;
    data::DatasetOrigin origin = dataset.origin();
    bool is_changed = false;
    for (Tensor& input : origin.inputs) {
      const auto before = data::dataset_of(input);
      if (!before.ok()) continue;
      TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> after, rewrite(*before.value()));
      if (after.get() == before.value()) continue;
      TINYTF_ASSIGN_OR_RETURN(input, data::tensor_of(std::move(after)));
      is_changed = true;
    }
    for (RefPtr<FunctionSource>& function : origin.functions) {
      if (!function->any_node([](const NodeInfo& called) { return is_rewritten(called); })) continue;
      function = function->rewriting(rewrites_);
      is_changed = true;
    }
    return is_changed ? data::make_dataset(step_, origin, dataset) : same;
  }

  const KernelServices& step_;
  const DatasetRewrites rewrites_;
  std::unordered_map<const Dataset*, RefPtr<const Dataset>> done_;  // Datasets that inputs share are rewritten once.
};

/// Whether TensorFlow lets the last prefetch of a pipeline begin later, as the rewrite `slack` wants; here it begins at
/// once. InvalidArgument with TensorFlow's text if a stage before its end can have no slack. `seen`: the datasets that
/// were checked, since inputs may share them.
Status check_slack(const Dataset& dataset, std::unordered_set<const Dataset*>& seen) {
  // Their first input has the prefetch, or all of their inputs.
  static constexpr std::string_view kOne[] = {"CacheDataset",
                                              "CacheDatasetV2",
                                              "ExperimentalMaxIntraOpParallelismDataset",
                                              "ExperimentalPrivateThreadPoolDataset",
                                              "FilterDataset",
                                              "MapDataset",
                                              "MaxIntraOpParallelismDataset",
                                              "ModelDataset",
                                              "NonSerializableDataset",
                                              "ParallelMapDataset",
                                              "PrivateThreadPoolDataset",
                                              "RepeatDataset",
                                              "ShardDataset",
                                              "ShuffleAndRepeatDataset",
                                              "ShuffleDataset",
                                              "ShuffleDatasetV2",
                                              "SkipDataset",
                                              "TakeDataset",
                                              "WindowDataset"};
  static constexpr std::string_view kAll[] = {"ConcatenateDataset", "ZipDataset"};
  const std::string& op = dataset.origin().node->op->name;
  if (op == "PrefetchDataset" || !dataset.has_graph() || !seen.insert(&dataset).second) return Status();
  const bool needs_all = std::find(std::begin(kAll), std::end(kAll), op) != std::end(kAll);
  if (!needs_all && std::find(std::begin(kOne), std::end(kOne), op) == std::end(kOne)) {
    return invalid_argument("Encountered unsupported op \"", op,
                            "\" when rewriting the input pipeline graph to use slack in its final prefetch "
                            "transformation.");
  }
  for (const Tensor& input : dataset.origin().inputs) {
    const auto before = data::dataset_of(input);
    if (before.ok()) TINYTF_RETURN_IF_ERROR(check_slack(*before.value(), seen));
    if (!needs_all) break;
  }
  return Status();
}

/// Checks the argument of the rewrite `slack`: every how many elements a device waits.
Status check_slack_period(const std::vector<std::string>& configs) {
  static constexpr std::string_view kBefore = "slack:slack_period:";
  for (const std::string& config : configs) {
    if (config.compare(0, kBefore.size(), kBefore) != 0) continue;
    const std::string text = config.substr(kBefore.size());
    int64_t period = 0;
    if (parse_number(text, period) && period >= 1) return Status();
    return invalid_argument("Invalid `slack_period` parameter: ", text);
  }
  return invalid_argument("Config parameter required.");
}

class OptimizeKernel final : public DatasetKernel {
 public:
  explicit OptimizeKernel(KernelInit& init)
      : DatasetKernel(init), configs_(init.attr<std::vector<std::string>>("optimization_configs")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts /*parts*/) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    if (ctx.input(1).rank() != 1) return invalid_argument("optimizations must be a vector");
    TINYTF_ASSIGN_OR_RETURN(const std::vector<std::string> names, vector_input<std::string>(ctx, 1, "optimizations"));
    DatasetRewrites rewrites;
    for (const std::string& name : names) {
      if (std::find(std::begin(kRewrites), std::end(kRewrites), name) == std::end(kRewrites)) {
        return Status(Code::kInternal, str_cat("Tried to register a dataset optimizer that doesn't exist: ", name));
      }
      rewrites.drops_noops |= name == "noop_elimination";
      rewrites.fuses_shuffle_and_repeat |= name == "shuffle_and_repeat_fusion";
      rewrites.fuses_map_and_batch |= name == "map_and_batch_fusion";
    }
    if (rewrites.any()) {
      TINYTF_ASSIGN_OR_RETURN(input, PipelineRewriter(ctx.step(), rewrites).rewrite(*input));
    }
    if (std::find(names.begin(), names.end(), "slack") != names.end()) {
      TINYTF_RETURN_IF_ERROR(check_slack_period(configs_));
      std::unordered_set<const Dataset*> seen;
      TINYTF_RETURN_IF_ERROR(check_slack(*input, seen));
    }
    return input;
  }

 private:
  const std::vector<std::string> configs_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_optimize) {
  using namespace tinytf::ops;
  ops.op("OptimizeDataset")
      .input("input_dataset: variant")
      .input("optimizations: string")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("optimization_configs: list(string) = []")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes the dataset of the input's pipeline with the rewrites that `optimizations` names: "
          "`shuffle_and_repeat_fusion` makes a repeat directly behind a reshuffling shuffle one stage with it, which "
          "changes the order of elements; `noop_elimination` leaves out stages without effect. The other rewrites of "
          "TensorFlow change only its speed.");
  kernels.add<OptimizeKernel>("OptimizeDataset");
}
