#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "op/kernel.h"
#include "op/shape_context.h"
#include "ops/parsing/shared/example_spec.h"

namespace tinytf::ops {

/// The features to parse from SequenceExamples: features of the context, and feature lists. The shapes of dense
/// features are fully known; in lists they are the shapes of one item.
struct SequenceSpec {
  ExampleSpec context;
  ExampleSpec lists;

  /// `counts` is the result of the check that the numbers of keys, types and shapes agree. Fails with InvalidArgument
  /// too if a shape is not fully known.
  static SequenceSpec make(KernelInit& init, Status counts);
};

// Indices of the outputs. Sparse outputs consist of indices, values and shapes.
struct SequenceOutputs {
  explicit SequenceOutputs(const SequenceSpec& spec)
      : context_sparse(0),
        context_dense(3 * static_cast<int>(spec.context.sparse.size())),
        list_sparse(context_dense + static_cast<int>(spec.context.dense.size())),
        list_dense(list_sparse + 3 * static_cast<int>(spec.lists.sparse.size())),
        list_lengths(list_dense + static_cast<int>(spec.lists.dense.size())) {}

  int context_sparse, context_dense, list_sparse, list_dense, list_lengths;
};

/// The numbers of keys, types and shapes of one kind of features. Sparse features have no shapes.
struct SequenceCounts {
  const char* kind;  ///< "context_sparse", "context_dense", "feature_list_sparse" or "feature_list_dense"
  size_t number;     ///< the attr that counts the features
  size_t types;
  std::optional<size_t> shapes;
};

/// The counts of all kinds of features of a node: a ShapeContext or a KernelInit. The kernel must check them too,
/// because shape functions do not run eagerly, and the number of outputs follows from these attrs.
template <class Attrs>
std::array<SequenceCounts, 4> sequence_counts(Attrs& node) {
  const auto number = [&](const char* attr) { return static_cast<size_t>(node.template attr<int64_t>(attr)); };
  const auto types = [&](const char* attr) { return node.template attr<std::vector<DType>>(attr).size(); };
  const auto shapes = [&](const char* attr) { return node.template attr<std::vector<PartialShape>>(attr).size(); };
  return {{
      {"context_sparse", number("Ncontext_sparse"), types("context_sparse_types"), std::nullopt},
      {"context_dense", number("Ncontext_dense"), types("Tcontext_dense"), shapes("context_dense_shapes")},
      {"feature_list_sparse", number("Nfeature_list_sparse"), types("feature_list_sparse_types"), std::nullopt},
      {"feature_list_dense", number("Nfeature_list_dense"), types("feature_list_dense_types"),
       shapes("feature_list_dense_shapes")},
  }};
}

/// Sets the shapes of all outputs except the lengths; `batch` holds the leading dimensions. The counts must have been
/// checked. InvalidArgument for unknown shapes in attrs.
Status set_sequence_shapes(ShapeContext& c, const PartialShape& batch);

/// InvalidArgument unless the node's inputs from `first` on have the shapes of the context's dense features, or are
/// empty. `what` and `shapes` are parts of the message.
Status check_context_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense,
                              std::string_view what, std::string_view shapes);

}  // namespace tinytf::ops
