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

/// One operation of a graph. Owned by its Graph and never freed before it. Written only under the graph's lock.
class Node {
 public:
  int id = 0;  ///< from 1, in creation order
  /// Those who read it without the lock, plans, keep it: it is replaced, not changed.
  std::shared_ptr<const NodeInfo> info;
  std::vector<Endpoint> inputs;
  std::vector<Node*> control_inputs;
  std::vector<PartialShape> output_shapes;
  std::vector<std::optional<HandleInfo>> output_handles;  ///< empty unless there is one

  const std::string& name() const { return info->name; }
  const std::string& op_name() const { return info->op->name; }
  bool has(Trait trait) const { return info->op->has(trait); }
  int num_outputs() const { return static_cast<int>(info->outputs.size()); }

  /// True if the values depend on nothing but constants: they can be computed while the graph is built.
  bool is_constant = false;
  /// Values of a constant node once somebody asked; written under the graph's lock.
  std::optional<std::vector<Tensor>> constant_values;
  /// Whether an input or attr was changed since it was added: static shapes, its own and those inferred from them, may
  /// not be true any more.
  bool was_changed = false;
  /// Whether a program said more of an output's shape than is known of the op, and whether static shapes of the node
  /// rest on what was said of it or of what it is computed of: see shape_claims.h.
  bool is_claimed = false;
  bool rests_on_claims = false;
  /// Whether values are computed of such static shapes. Of nodes of functions' bodies several threads may note it.
  mutable std::atomic<bool> is_relied_on{false};
  /// AttrValues as they were written, by attr, of a node whose op is not declared; else null.
  std::unique_ptr<std::map<std::string, std::string>> written_attrs;
};

/// Whether each input is of the type that the node takes, as it is unless it was replaced by another. An input of a
/// Merge may be: see Graph::update_input.
inline bool takes_its_types(const Node& node) {
  if (!node.was_changed) return true;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i].node->info->outputs[node.inputs[i].index].dtype != node.info->inputs[i].dtype) return false;
  }
  return true;
}

/// An endpoint as one number, unique in its graph: the node's id above, the output's index in the lower 32 bits.
inline int64_t key_of(Endpoint endpoint) { return static_cast<int64_t>(endpoint.node->id) << 32 | endpoint.index; }

}  // namespace tinytf
