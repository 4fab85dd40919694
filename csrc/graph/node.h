#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "op/node_info.h"
#include "op/shape_context.h"

namespace tinytf {

class Node;

/// One output of a node.
struct Endpoint {
  Node* node = nullptr;
  int index = 0;

  friend bool operator==(const Endpoint& a, const Endpoint& b) { return a.node == b.node && a.index == b.index; }
};

/// One operation of a graph. Owned by its Graph, and lives as long as it. Modified only under the graph's lock.
class Node {
 public:
  int id = 0;  ///< From 1, in the order of creation.
  /// Replaced rather than modified, so that plans can share it and read it without the lock.
  std::shared_ptr<const NodeInfo> info;
  std::vector<Endpoint> inputs;
  std::vector<Node*> control_inputs;
  std::vector<PartialShape> output_shapes;
  std::vector<std::optional<HandleInfo>> output_handles;  ///< Empty if no output has handle info.

  const std::string& name() const { return info->name; }
  const std::string& op_name() const { return info->op->name; }
  bool has(Trait trait) const { return info->op->has(trait); }
  int num_outputs() const { return static_cast<int>(info->outputs.size()); }

  /// Whether the outputs depend only on constants, so that they can be computed while the graph is built.
  bool is_constant = false;
  /// Values of a constant node; computed on demand, under the graph's lock. Empty vector: they could not be computed.
  std::optional<std::vector<Tensor>> constant_values;
  /// Whether an input or a non-private attr was changed after the node was added. Static shapes of the node, and shapes
  /// inferred from them, may then be wrong.
  bool was_changed = false;
  /// `is_claimed`: the program set an output shape that is more specific than the op implies. `rests_on_claims`: static
  /// shapes of the node depend on such a claim, its own or that of a node it is computed from. See shape_claims.h.
  bool is_claimed = false;
  bool rests_on_claims = false;
  /// Whether values were computed from static shapes that rest on claims. Atomic, because several threads may set it
  /// for nodes of function bodies.
  mutable std::atomic<bool> is_relied_on{false};
  /// The serialized AttrValues, by attr, of a node whose op is not declared; else null.
  std::unique_ptr<std::map<std::string, std::string>> written_attrs;
};

/// Whether the dtype of each input is the one that the node expects. False if Graph::update_input replaced an input by
/// one of another dtype.
inline bool takes_its_types(const Node& node) {
  if (!node.was_changed) return true;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i].node->info->outputs[node.inputs[i].index].dtype != node.info->inputs[i].dtype) return false;
  }
  return true;
}

/// An endpoint as one number that is unique in its graph: the node's id in the upper, the output's index in the lower
/// 32 bits.
inline int64_t key_of(Endpoint endpoint) { return static_cast<int64_t>(endpoint.node->id) << 32 | endpoint.index; }

}  // namespace tinytf
