#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "data/rewrite_site.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

template <size_t n>
bool is_one_of(const NodeInfo& node, const std::string_view (&ops)[n]) {
  return std::find(std::begin(ops), std::end(ops), node.op->name) != std::end(ops);
}

/// Whether the node reads the files that its first input names.
bool reads_files(const NodeInfo& node) {
  static constexpr std::string_view kReaders[] = {"FixedLengthRecordDataset", "FixedLengthRecordDatasetV2",
                                                  "TextLineDataset", "TFRecordDataset"};
  return is_one_of(node, kReaders);
}
/// Whether the node makes a dataset of each element of its first input.
bool makes_datasets(const NodeInfo& node) {
  static constexpr std::string_view kMakers[] = {"ExperimentalParallelInterleaveDataset", "FlatMapDataset",
                                                 "InterleaveDataset", "ParallelInterleaveDataset",
                                                 "ParallelInterleaveDatasetV2"};
  return is_one_of(node, kMakers);
}
bool joins_datasets(const NodeInfo& node) {
  static constexpr std::string_view kJoins[] = {"ConcatenateDataset", "ZipDataset"};
  return is_one_of(node, kJoins);
}
/// Whether the shards of the node's dataset may be made of the shards of its first input.
bool passes_shards(const NodeInfo& node) {
  static constexpr std::string_view kPassing[] = {
      "BatchDataset",    "BatchDatasetV2",     "CacheDataset",         "ExperimentalMapAndBatchDataset",
      "FilterDataset",   "MapAndBatchDataset", "MapDataset",           "ModelDataset",
      "OptimizeDataset", "PaddedBatchDataset", "PaddedBatchDatasetV2", "ParallelMapDataset",
      "PrefetchDataset", "RepeatDataset",      "ShardDataset",         "ShuffleAndRepeatDataset",
      "ShuffleDataset",  "SkipDataset",        "TakeDataset",          "WindowDataset"};
  return is_one_of(node, kPassing);
}

/// Divides a pipeline among workers as TensorFlow does: the list of files that it reads, so that each worker reads only
/// its own.
class Sharding {
 public:
  Sharding(const KernelServices& step, Tensor workers, Tensor index)
      : step_(step), workers_(std::move(workers)), index_(std::move(index)) {}

  /// The part of a worker. If there is a stage that has no shards, what comes out of the pipeline is divided.
  Result<RefPtr<const Dataset>> shard(const Dataset& dataset) {
    // TensorFlow leaves pipelines alone whose end has no form as a graph.
    if (!dataset.has_graph()) return RefPtr<const Dataset>::share(&dataset);
    TINYTF_ASSIGN_OR_RETURN(Shard found, shard_files(dataset));
    return found.is_complete ? std::move(found.dataset) : shard_elements(*found.dataset);
  }

 private:
  struct Shard {
    RefPtr<const Dataset> dataset;
    bool is_complete = false;  ///< Else some of the files are not divided.
  };

  Result<Shard> shard_files(const Dataset& dataset) {
    if (const auto known = shards_.find(&dataset); known != shards_.end()) return known->second;
    TINYTF_ASSIGN_OR_RETURN(Shard shard, make_shard(dataset));
    return shards_.emplace(&dataset, std::move(shard)).first->second;
  }

  Result<Shard> make_shard(const Dataset& dataset) {
    const NodeInfo& node = *dataset.origin().node;
    const RefPtr<const Dataset> same = RefPtr<const Dataset>::share(&dataset);
    if (!dataset.has_graph()) return Shard{same};
    if (makes_datasets(node) && dataset.origin().functions.size() == 1 &&
        dataset.origin().functions[0]->any_node([](const NodeInfo& called) { return reads_files(called); })) {
      return shard_input(dataset);
    }
    const bool joins = joins_datasets(node);
    if (!joins && !passes_shards(node)) return Shard{same};
    Shard shard{nullptr, true};
    data::DatasetOrigin origin = dataset.origin();
    for (size_t i = 0; i < (joins ? origin.inputs.size() : 1) && shard.is_complete; ++i) {
      TINYTF_ASSIGN_OR_RETURN(const Dataset* input, data::dataset_of(origin.inputs[i]));
      TINYTF_ASSIGN_OR_RETURN(shard, shard_files(*input));
      TINYTF_ASSIGN_OR_RETURN(origin.inputs[i], data::tensor_of(std::move(shard.dataset)));
    }
    TINYTF_ASSIGN_OR_RETURN(shard.dataset, data::make_dataset(step_, origin, dataset));
    return shard;
  }

  /// Divides the files, the elements of the first input, before they are shuffled: all workers then agree about them.
  Result<Shard> shard_input(const Dataset& reader) {
    data::DatasetOrigin origin = reader.origin();
    TINYTF_ASSIGN_OR_RETURN(const Dataset* files, data::dataset_of(origin.inputs[0]));
    if (!files->has_graph()) return Shard{RefPtr<const Dataset>::share(&reader)};
    TINYTF_ASSIGN_OR_RETURN(const Ordered ordered, without_shuffles(*files));
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> shard, shard_elements(*ordered.dataset));
    if (ordered.shuffle != nullptr) {
      data::DatasetOrigin shuffle = ordered.shuffle->origin();
      TINYTF_ASSIGN_OR_RETURN(shuffle.inputs[0], data::tensor_of(std::move(shard)));
      TINYTF_ASSIGN_OR_RETURN(shard, data::make_dataset(step_, shuffle, *ordered.shuffle));
    }
    TINYTF_ASSIGN_OR_RETURN(origin.inputs[0], data::tensor_of(std::move(shard)));
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> made, data::make_dataset(step_, origin, reader));
    return Shard{std::move(made), true};
  }

  /// A dataset without its shuffles.
  struct Ordered {
    RefPtr<const Dataset> dataset;
    const Dataset* shuffle = nullptr;  ///< The one that was farthest from the end; null: there was none.
  };
  Result<Ordered> without_shuffles(const Dataset& dataset) {
    if (const auto known = ordered_.find(&dataset); known != ordered_.end()) return known->second;
    TINYTF_ASSIGN_OR_RETURN(Ordered ordered, make_ordered(dataset));
    return ordered_.emplace(&dataset, std::move(ordered)).first->second;
  }
  Result<Ordered> make_ordered(const Dataset& dataset) {
    data::DatasetOrigin origin = dataset.origin();
    if (origin.node->op->name == "ShuffleDataset") {
      TINYTF_ASSIGN_OR_RETURN(const Dataset* input, data::dataset_of(origin.inputs[0]));
      TINYTF_ASSIGN_OR_RETURN(Ordered ordered, without_shuffles(*input));
      if (ordered.shuffle == nullptr) ordered.shuffle = &dataset;
      return ordered;
    }
    Ordered ordered{RefPtr<const Dataset>::share(&dataset)};
    if (!dataset.has_graph()) return ordered;
    for (Tensor& input : origin.inputs) {
      const auto before = data::dataset_of(input);
      if (!before.ok()) continue;
      TINYTF_ASSIGN_OR_RETURN(Ordered after, without_shuffles(*before.value()));
      if (after.shuffle == nullptr) continue;
      ordered.shuffle = after.shuffle;
      TINYTF_ASSIGN_OR_RETURN(input, data::tensor_of(std::move(after.dataset)));
    }
    if (ordered.shuffle != nullptr) {
      TINYTF_ASSIGN_OR_RETURN(ordered.dataset, data::make_dataset(step_, origin, dataset));
    }
    return ordered;
  }

  Result<RefPtr<const Dataset>> shard_elements(const Dataset& dataset) {
    TINYTF_ASSIGN_OR_RETURN(Tensor input, data::tensor_of(RefPtr<const Dataset>::share(&dataset)));
    AttrMap attrs;
    attrs.set("output_types", dataset.spec().types);
    attrs.set("output_shapes", dataset.spec().shapes);
    attrs.set("require_non_empty", true);
    return data::make_dataset(step_, "ShardDataset", std::move(attrs), {std::move(input), workers_, index_}, dataset);
  }

  const KernelServices& step_;
  const Tensor workers_, index_;
  std::unordered_map<const Dataset*, Shard> shards_;  // Datasets that inputs share are divided once.
  std::unordered_map<const Dataset*, Ordered> ordered_;
};

class AutoShardKernel final : public DatasetKernel {
 public:
  explicit AutoShardKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t workers, scalar_input<int64_t>(ctx, 1, "num_workers"));
    if (workers <= 0) return invalid_argument("num_workers must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, scalar_input<int64_t>(ctx, 2, "index"));
    if (index < 0 || index >= workers) return invalid_argument("index must be between 0 and ", workers - 1);
    return Sharding(ctx.step(), parts.origin.inputs[1], parts.origin.inputs[2]).shard(*input);
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_auto_shard) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<AutoShardKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("num_workers: int64")
        .input("index: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("AutoShardDataset")
      .doc(
          "Makes the part of worker `index` of the input. If all its stages permit, the files that it reads are "
          "divided, every `num_workers`-th one from number `index` on; else the elements are. Iteration fails if there "
          "are fewer files or elements than workers.");
  declare("ExperimentalAutoShardDataset").doc("An earlier name of AutoShardDataset.");
}
