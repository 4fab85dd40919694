#include <algorithm>

#include "op/registration.h"
#include "ops/parsing/shared/feature_message.h"
#include "ops/parsing/shared/sequence_spec.h"

namespace tinytf::ops {
namespace {

/// The keys among the inputs, each of which is a scalar.
class InputKeys {
 public:
  explicit InputKeys(const SequenceSpec& spec)
      : counts_{spec.context.sparse.size(), spec.context.dense.size(), spec.lists.sparse.size(),
                spec.lists.dense.size()} {
    int next = kFirst;
    for (size_t kind = 0; kind < 4; ++kind) {
      firsts_[kind] = next;
      next += static_cast<int>(counts_[kind]);
    }
    end_ = next;
  }
  Status check(const KernelContext& ctx) const {
    static constexpr const char* kNames[] = {"context_sparse_keys", "context_dense_keys", "feature_list_sparse_keys",
                                             "feature_list_dense_keys"};
    for (const size_t kind : {1, 0, 3, 2}) {
      for (size_t i = 0; i < counts_[kind]; ++i) {
        const Tensor& key = ctx.input(firsts_[kind] + static_cast<int>(i));
        if (key.rank() != 0) {
          return invalid_argument("Expected ", kNames[kind], "[", i,
                                  "] to be a scalar, got shape: ", key.shape().to_string());
        }
      }
    }
    return Status();
  }
  const std::string& context_sparse(const KernelContext& ctx, size_t i) const { return key(ctx, 0, i); }
  const std::string& context_dense(const KernelContext& ctx, size_t i) const { return key(ctx, 1, i); }
  const std::string& list_sparse(const KernelContext& ctx, size_t i) const { return key(ctx, 2, i); }
  const std::string& list_dense(const KernelContext& ctx, size_t i) const { return key(ctx, 3, i); }
  int first_default() const { return end_; }

 private:
  static constexpr int kFirst = 2;
  const std::string& key(const KernelContext& ctx, size_t kind, size_t i) const {
    return *ctx.input(firsts_[kind] + static_cast<int>(i)).data<std::string>();
  }

  size_t counts_[4];
  int firsts_[4], end_;
};

template <class Attrs>
Status check_single_sequence_counts(Attrs& node) {
  for (const SequenceCounts& counts : sequence_counts(node)) {
    const char* const kind = counts.kind;
    if (counts.number != counts.types) return invalid_argument("len(", kind, "_keys) != len(", kind, "_types)");
    if (counts.shapes && counts.number != *counts.shapes) {
      return invalid_argument("len(", kind, "_keys) != len(", kind, "_shapes)");
    }
  }
  return Status();
}

class ParseSingleSequenceExampleKernel final : public Kernel {
 public:
  explicit ParseSingleSequenceExampleKernel(KernelInit& init)
      : spec_(SequenceSpec::make(init, check_single_sequence_counts(init))), outputs_(spec_), keys_(spec_) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &name = ctx.input(ctx.num_inputs() - 1), &serialized = ctx.input(0), &may_miss = ctx.input(1);
    if (name.rank() != 0) {
      return invalid_argument("Expected debug_name to be a scalar, got shape: ", name.shape().to_string());
    }
    if (serialized.rank() != 0) {
      return invalid_argument("Expected serialized to be a scalar, got shape: ", serialized.shape().to_string());
    }
    if (may_miss.rank() != 1) {
      return invalid_argument("Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: ",
                              may_miss.shape().to_string());
    }
    TINYTF_RETURN_IF_ERROR(keys_.check(ctx));
    TINYTF_RETURN_IF_ERROR(
        check_context_defaults(ctx, keys_.first_default(), spec_.context.dense, "def_value", "context_dense_shapes_"));
    const auto& bytes = *serialized.data<std::string>();
    SequenceMessage message;
    if (!message.read(bytes)) return invalid_argument("Could not parse example input, value: '", bytes, "'");
    Run run{ctx, message, *name.data<std::string>()};
    TINYTF_RETURN_IF_ERROR(set_context(run));
    return set_lists(run, may_miss);
  }

 private:
  struct Run {
    KernelContext& ctx;
    SequenceMessage& message;
    const std::string& name;
  };

  Status set_context(Run& run) const {
    for (size_t i = 0; i < spec_.context.dense.size(); ++i) TINYTF_RETURN_IF_ERROR(set_context_dense(run, i));
    const auto n = static_cast<int>(spec_.context.sparse.size());
    for (int i = 0; i < n; ++i) {
      FeatureValues none, *values = &none;
      const DType dtype = spec_.context.sparse[i];
      const std::string& key = keys_.context_sparse(run.ctx, static_cast<size_t>(i));
      const auto found = run.message.context.find(key);
      if (found != run.message.context.end() && found->second.dtype != DType::kInvalid) {
        if (found->second.dtype != dtype) return mismatch(run, str_cat("Context feature: ", key), dtype, found->second);
        values = &found->second.values;
      }
      values->end_example();
      TINYTF_RETURN_IF_ERROR(set_sparse(run.ctx, outputs_.context_sparse + i, n, dtype, {values}, false));
    }
    return Status();
  }

  Status set_context_dense(Run& run, size_t i) const {
    const DenseFeature& dense = spec_.context.dense[i];
    const std::string& key = keys_.context_dense(run.ctx, i);
    const Tensor& value = run.ctx.input(keys_.first_default() + static_cast<int>(i));
    TINYTF_ASSIGN_OR_RETURN(
        Tensor * out, run.ctx.allocate_output(outputs_.context_dense + static_cast<int>(i), dense.shape.to_shape()));
    const auto found = run.message.context.find(key);
    if (found == run.message.context.end()) {
      if (value.num_elements() == 0 && dense.stride > 0) {
        return invalid_argument("Name: ", run.name, ", Context feature '", key,
                                "' is required but could not be found.");
      }
      copy_elements(value, 0, *out, 0, dense.stride);
      return Status();
    }
    FeatureMessage& feature = found->second;
    if (feature.dtype != dense.dtype) return mismatch(run, str_cat("Context feature: ", key), dense.dtype, feature);
    return move_item(run, key, 0, dense, feature, *out);
  }

  /// Moves the values of a feature to item `index` of an output.
  static Status move_item(const Run& run, const std::string& key, size_t index, const DenseFeature& dense,
                          FeatureMessage& feature, Tensor& out) {
    if (feature.values.size() != static_cast<size_t>(dense.stride)) {
      const bool is_text = dense.dtype == DType::kString;  // TensorFlow's message differs for strings
      return invalid_argument("Name: ", run.name, is_text ? ", Key " : ", Key: ", key, ", Index: ", index,
                              ".  Number of ", is_text ? "bytes" : dtype_name(dense.dtype), " values != expected.  ",
                              is_text ? "Values" : "values", " size: ", feature.values.size(),
                              " but output shape: ", dense.shape.to_string());
    }
    with_feature_type(dense.dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      auto& values = feature.values.values(type);
      std::move(values.begin(), values.end(), out.data<T>() + static_cast<int64_t>(index) * dense.stride);
    });
    return Status();
  }

  Status set_lists(Run& run, const Tensor& may_miss) const {
    for (size_t i = 0; i < spec_.lists.dense.size(); ++i) TINYTF_RETURN_IF_ERROR(set_list_dense(run, i, may_miss));
    for (size_t i = 0; i < spec_.lists.sparse.size(); ++i) TINYTF_RETURN_IF_ERROR(set_list_sparse(run, i));
    return Status();
  }

  Status set_list_dense(Run& run, size_t i, const Tensor& may_miss) const {
    const DenseFeature& dense = spec_.lists.dense[i];
    const std::string& key = keys_.list_dense(run.ctx, i);
    const auto found = run.message.lists.find(key);
    const auto* begin = may_miss.data<std::string>();
    const auto* end = begin + may_miss.num_elements();
    if (found == run.message.lists.end() && std::find(begin, end, key) == end) {
      return invalid_argument("Name: ", run.name, ", Feature list '", key,
                              "' is required but could not be found.  Did you mean to include it in "
                              "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?");
    }
    std::vector<FeatureMessage> none;
    std::vector<FeatureMessage>& items = found == run.message.lists.end() ? none : found->second;
    Shape shape = dense.shape.to_shape();
    shape.insert_dim(0, static_cast<int64_t>(items.size()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, run.ctx.allocate_output(outputs_.list_dense + static_cast<int>(i), shape));
    for (size_t item = 0; item < items.size(); ++item) {
      if (items[item].dtype != dense.dtype) {
        return mismatch(run, str_cat("Feature list: ", key, ", Index: ", item), dense.dtype, items[item]);
      }
      TINYTF_RETURN_IF_ERROR(move_item(run, key, item, dense, items[item], *out));
    }
    return Status();
  }

  Status set_list_sparse(Run& run, size_t i) const {
    const DType dtype = spec_.lists.sparse[i];
    const std::string& key = keys_.list_sparse(run.ctx, i);
    std::vector<FeatureMessage> none;
    const auto found = run.message.lists.find(key);
    std::vector<FeatureMessage>& items = found == run.message.lists.end() ? none : found->second;
    ValuesOfBatch rows;
    for (size_t item = 0; item < items.size(); ++item) {
      if (items[item].dtype != dtype && items[item].dtype != DType::kInvalid) {
        return mismatch(run, str_cat("Feature List: ", key, ", Index: ", item), dtype, items[item]);
      }
      items[item].values.end_example();
      rows.push_back(&items[item].values);
    }
    return set_sparse(run.ctx, outputs_.list_sparse + static_cast<int>(i), static_cast<int>(spec_.lists.sparse.size()),
                      dtype, rows, true);
  }

  static Status mismatch(const Run& run, const std::string& what, DType expected, const FeatureMessage& feature) {
    return invalid_argument("Name: ", run.name, ", ", what,
                            ".  Data types don't match. Expected type: ", dtype_name(expected),
                            "  Feature is: ", feature.text());
  }

  const SequenceSpec spec_;
  const SequenceOutputs outputs_;
  const InputKeys keys_;
};

Status single_sequence_example_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(check_single_sequence_counts(c));
  return set_sequence_shapes(c, PartialShape::scalar());
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_parse_single_sequence_example) {
  using namespace tinytf::ops;
  ops.op("ParseSingleSequenceExample")
      .input("serialized: string")
      .input("feature_list_dense_missing_assumed_empty: string")
      .input("context_sparse_keys: Ncontext_sparse * string")
      .input("context_dense_keys: Ncontext_dense * string")
      .input("feature_list_sparse_keys: Nfeature_list_sparse * string")
      .input("feature_list_dense_keys: Nfeature_list_dense * string")
      .input("context_dense_defaults: Tcontext_dense")
      .input("debug_name: string")
      .output("context_sparse_indices: Ncontext_sparse * int64")
      .output("context_sparse_values: context_sparse_types")
      .output("context_sparse_shapes: Ncontext_sparse * int64")
      .output("context_dense_values: Tcontext_dense")
      .output("feature_list_sparse_indices: Nfeature_list_sparse * int64")
      .output("feature_list_sparse_values: feature_list_sparse_types")
      .output("feature_list_sparse_shapes: Nfeature_list_sparse * int64")
      .output("feature_list_dense_values: feature_list_dense_types")
      .attr("Ncontext_sparse: int >= 0 = 0")
      .attr("Ncontext_dense: int >= 0 = 0")
      .attr("Nfeature_list_sparse: int >= 0 = 0")
      .attr("Nfeature_list_dense: int >= 0 = 0")
      .attr("context_sparse_types: list({float, int64, string}) >= 0 = []")
      .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []")
      .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []")
      .attr("context_dense_shapes: list(shape) >= 0 = []")
      .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []")
      .attr("feature_list_dense_shapes: list(shape) >= 0 = []")
      .shape(single_sequence_example_shape)
      .no_gradient()
      .doc(
          "Parses one serialized SequenceExample and returns the features of its context, and feature lists with one "
          "row per item. Lists named in `feature_list_dense_missing_assumed_empty` may be missing.");
  kernels.add<ParseSingleSequenceExampleKernel>("ParseSingleSequenceExample");
}
