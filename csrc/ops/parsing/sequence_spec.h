#pragma once

#include <string>
#include <vector>

#include "op/kernel.h"
#include "op/shape_context.h"
#include "ops/parsing/example_spec.h"

namespace tinytf::ops {

/// What is looked for in SequenceExamples: features of the context, and lists of features. Shapes of dense features are
/// known, and are those of each item of a list.
struct SequenceSpec {
  ExampleSpec context;
  ExampleSpec lists;

  static SequenceSpec make(KernelInit& init);
};

// The places of outputs, of which the sparse ones have indices, values and shapes.
struct SequenceOutputs {
  explicit SequenceOutputs(const SequenceSpec& spec)
      : context_sparse(0),
        context_dense(3 * static_cast<int>(spec.context.sparse.size())),
        list_sparse(context_dense + static_cast<int>(spec.context.dense.size())),
        list_dense(list_sparse + 3 * static_cast<int>(spec.lists.sparse.size())),
        list_lengths(list_dense + static_cast<int>(spec.lists.dense.size())) {}

  int context_sparse, context_dense, list_sparse, list_dense, list_lengths;
};

/// The shapes of the outputs but the lengths; `batch` are the dimensions in front. InvalidArgument for shapes in attrs
/// that are not known, and lists in attrs that are not as long as others.
Status set_sequence_shapes(ShapeContext& c, const PartialShape& batch);

/// InvalidArgument unless the node's inputs from `first` on have the shapes of the context's dense features, or no
/// elements. `what` and `shapes` are words of the message.
Status check_context_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense,
                              std::string_view what, std::string_view shapes);

}  // namespace tinytf::ops
