#pragma once

#include <memory>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// Helpers for building programs.

/// A kernel that yields known values, for a node with known values that has control inputs.
std::shared_ptr<Kernel> known_values_kernel(std::vector<Tensor> values);

/// A kernel that always fails, for a node that cannot run but is not reached in every step.
std::shared_ptr<Kernel> failing_kernel(Status status);

/// Wraps a kernel with a check of the outputs' shapes against the claimed ones. Shares ownership of `kernel`; both
/// belong to the same node.
std::shared_ptr<Kernel> claim_checking_kernel(std::shared_ptr<Kernel> kernel, std::vector<PartialShape> claims);

/// The info of a node with known values: a constant with the name and output types of `of`.
std::shared_ptr<const NodeInfo> known_values_node(const NodeInfo& of);

/// Tells nodes whose errors name the checked tensor, as TensorFlow's EnsureShape does, the name of that tensor.
void name_checked_inputs(Subgraph& subgraph, const std::vector<Endpoint>& feeds, bool are_arguments);

/// TensorFlow's error for an input that should be a reference: input `index` of `node` is output `output` of `source`,
/// or a feed of it, which is a value. `is_partial`: the feeds belong to a partial run.
Status no_reference(const NodeInfo& node, size_t index, const SubgraphNode& source, int output,
                    const std::vector<Endpoint>& feeds, bool is_partial);

}  // namespace tinytf
