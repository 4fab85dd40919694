#include <unordered_set>

#include "data/pipeline_end.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// The name of a stage of TensorFlow's that takes the elements of input `i` of the dataset.
std::string stage_name(const Dataset& dataset, size_t i) {
  const data::DatasetOrigin& origin = dataset.origin();
  std::string name = origin.node->op->name;
  const auto take_out = [&name](std::string_view part) {
    if (const size_t at = name.find(part); at != std::string::npos) name.erase(at, part.size());
  };
  take_out("Experimental");
  take_out("Dataset");
  if (name == "Repeat" || name == "Take" || name == "Skip") {
    const int64_t count = origin.inputs[1].int_at(0);
    const bool is_empty = name == "Skip" ? count < 0 : count == 0;
    const char* kind = name == "Repeat" && count < 0 ? "Forever" : is_empty ? "Empty" : "Finite";
    return kind + name;
  }
  if (name == "Cache" || name == "CacheV2") {
    return origin.inputs[1].data<std::string>()->empty() ? "MemoryCacheImpl" : "FileCacheImpl";
  }
  if (name == "SlidingWindow") return "Slide";
  if (name == "Zip" || name == "Concatenate") return str_cat(name, "[", i, "]");
  if (name == "DirectedInterleave") return str_cat(name, "[", i - 1, "]");  // Input 0 selects.
  if (name == "ChooseFastest") return str_cat(name, "_", i);
  return name;
}

/// Finds the stages through which the elements of a dataset go.
class StagesBehind {
 public:
  explicit StagesBehind(const Dataset& dataset) : dataset_(dataset) {}

  /// Whether the dataset is a part of `last`. Then names() are those of the stages from `last` on.
  bool find(const Dataset& last) {
    if (&last == &dataset_) return true;
    if (!seen_.insert(&last).second) return false;
    const std::vector<Tensor>& inputs = last.origin().inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto input = data::dataset_of(inputs[i]);
      if (!input.ok()) continue;
      names_.push_back(stage_name(last, i));
      if (find(*input.value())) return true;
      names_.pop_back();
    }
    return false;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  const Dataset& dataset_;
  std::vector<std::string> names_;
  std::unordered_set<const Dataset*> seen_;  // Inputs may share datasets.
};

class AssertNextDataset final : public UnaryDataset {
 public:
  AssertNextDataset(DatasetParts parts, RefPtr<const Dataset> input, std::vector<std::string> expected)
      : UnaryDataset(std::move(parts), std::move(input)), expected_(std::move(expected)) {}
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override {
    const Dataset* last = data::enclosing_dataset(ctx);
    StagesBehind stages(*this);
    if (last != nullptr && stages.find(*last)) TINYTF_RETURN_IF_ERROR(check(stages.names()));
    return input().make_iterator(ctx);
  }

 private:
  /// `found`: the names of the stages behind this one, the last one first.
  Status check(const std::vector<std::string>& found) const {
    if (expected_.size() > found.size()) {
      return invalid_argument("Asserted next ", expected_.size(), " transformations but encountered only ",
                              found.size(), ".");
    }
    for (size_t i = 0; i < expected_.size(); ++i) {
      const std::string& name = found[found.size() - 1 - i];
      if (expected_[i] == name) continue;
      return invalid_argument("Asserted ", expected_[i], " transformation at offset ", i, " but encountered ", name,
                              " transformation instead.");
    }
    return Status();
  }

  const std::vector<std::string> expected_;
};

class AssertNextKernel final : public DatasetKernel {
 public:
  explicit AssertNextKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    if (ctx.input(1).rank() != 1) return invalid_argument("transformations must be a vector");
    TINYTF_ASSIGN_OR_RETURN(std::vector<std::string> expected, vector_input<std::string>(ctx, 1, "transformations"));
    return RefPtr<const Dataset>(make_ref<AssertNextDataset>(std::move(parts), std::move(input), std::move(expected)));
  }
};

Status assert_next_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  return shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_assert_next) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<AssertNextKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("transformations: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(assert_next_shape)
        .no_gradient();
  };
  declare("AssertNextDataset")
      .doc(
          "Makes a dataset of the elements of the input. Iteration fails unless the stages that take them have the "
          "names in `transformations`, such as `BatchV2`: names of TensorFlow's stages, after the rewrites of the "
          "pipeline. A stage inside a function is followed by other stages of the function only.");
  declare("ExperimentalAssertNextDataset").doc("An earlier name of AssertNextDataset.");
}
