#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

/// What a run computes. The order of its elements matters.
struct RunSignature {
  std::vector<Endpoint> feeds;
  std::vector<Endpoint> fetches;
  std::vector<Node*> targets;
  /// For a partial run: values and shapes that depend on a feed are unknown until it arrives.
  bool is_partial = false;
};

/// A key that equal signatures of one graph share.
std::vector<int64_t> key_of(const RunSignature& signature);

}  // namespace tinytf
