#pragma once

#include "ops/parsing/shared/example_spec.h"

namespace tinytf::ops {

/// The examples to parse, and their specification.
struct ExampleBatch {
  const ExampleSpec& spec;
  const FeatureKeys& keys;
  const std::string* serialized = nullptr;
  int64_t count = 0;
  const std::string* names = nullptr;  ///< `count` names for messages; null if there are none
  int first_default = 0;               ///< index of the first default among the node's inputs
  bool is_single = false;              ///< whether it is a single Example, whose outputs have no batch dimension
};

/// Sets all outputs of a node: the indices of all sparse features, their values, their shapes, and the dense features.
/// Runs in parallel; the error is that of the first Example that cannot be parsed.
Status parse_examples(KernelContext& ctx, const ExampleBatch& batch);

}  // namespace tinytf::ops
