#pragma once

#include "ops/parsing/example_spec.h"

namespace tinytf::ops {

/// What there is to parse, and how.
struct ExampleBatch {
  const ExampleSpec& spec;
  const FeatureKeys& keys;
  const std::string* serialized = nullptr;
  int64_t count = 0;
  const std::string* names = nullptr;  ///< as many, for messages; null if there are none
  int first_default = 0;               ///< among the node's inputs
  bool is_single = false;              ///< one Example, whose outputs have no batch dimension
};

/// Sets all outputs of a node: indices of all sparse features, their values, their shapes, and the dense features. In
/// parallel; the error is that of the first Example that cannot be parsed.
Status parse_examples(KernelContext& ctx, const ExampleBatch& batch);

}  // namespace tinytf::ops
