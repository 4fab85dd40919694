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

/// A kernel that computes as another one does, and fails where a value has another shape than is claimed of it. It
/// keeps the other one; both are one node's.
std::shared_ptr<Kernel> claim_checking_kernel(std::shared_ptr<Kernel> kernel, std::vector<PartialShape> claims);

/// What a node of known values is: one without inputs, of the name and types of another.
std::shared_ptr<const NodeInfo> known_values_node(const NodeInfo& of);

/// Has the nodes whose errors name the tensor that they check, as TensorFlow's EnsureShape does, know what it is
/// called.
void name_checked_inputs(Subgraph& subgraph, const std::vector<Endpoint>& feeds, bool are_arguments);

/// TensorFlow's words for input `index` of `node` that is no reference where the op declares one, but output `output`
/// of `source`, or what is fed for it. `is_partial`: feeds come bit by bit.
Status no_reference(const NodeInfo& node, size_t index, const SubgraphNode& source, int output,
                    const std::vector<Endpoint>& feeds, bool is_partial);

}  // namespace tinytf
