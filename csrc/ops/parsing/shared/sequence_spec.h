#pragma once

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

  static SequenceSpec make(KernelInit& init);
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

/// Sets the shapes of all outputs except the lengths; `batch` holds the leading dimensions. InvalidArgument for unknown
/// shapes in attrs, and for list attrs of different lengths.
Status set_sequence_shapes(ShapeContext& c, const PartialShape& batch);

/// InvalidArgument unless the node's inputs from `first` on have the shapes of the context's dense features, or are
/// empty. `what` and `shapes` are parts of the message.
Status check_context_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense,
                              std::string_view what, std::string_view shapes);

}  // namespace tinytf::ops
