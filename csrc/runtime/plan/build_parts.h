#pragma once

#include <memory>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// What those need who make programs.

/// A kernel that yields values which were known before: for nodes that wait for others all the same.
std::shared_ptr<Kernel> known_values_kernel(std::vector<Tensor> values);

/// A kernel that only fails: of a node that cannot run, where not every step comes to it.
std::shared_ptr<Kernel> failing_kernel(Status status);

/// What such a node is: one without inputs, of the name and types of another.
std::shared_ptr<const NodeInfo> known_values_node(const NodeInfo& of);

/// TensorFlow's words for input `index` of `node` that is no reference where the op declares one, but output `output`
/// of `source`, or what is fed for it. `is_partial`: feeds come bit by bit.
Status no_reference(const NodeInfo& node, size_t index, const SubgraphNode& source, int output,
                    const std::vector<Endpoint>& feeds, bool is_partial);

}  // namespace tinytf
