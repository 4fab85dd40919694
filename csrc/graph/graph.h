#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ref_ptr.h"
#include "graph/node.h"

namespace tinytf {

/// What is asked for when a node is added.
struct NodeRequest {
  std::string name;  ///< final; must be new
  std::string op;
  std::vector<Endpoint> inputs;
  std::vector<int> group_sizes;  ///< length of each declared input, when list attrs are to be inferred
  std::vector<Node*> control_inputs;
  AttrMap attrs;
  std::string device;
};

/// A growing set of nodes. Every public function takes the graph's lock, so that sessions can plan on one thread while
/// another thread adds nodes; nodes are never removed, so pointers to them stay valid.
class Graph : public RefCounted {
 public:
  /// Validates the request against the op's declaration, infers types and shapes, and adds the node. Nothing is changed
  /// when it fails.
  Result<Node*> add_node(NodeRequest request);

  /// `name` if it is new, else the first free of name_1, name_2, …: case-insensitively, as TensorFlow counts.
  std::string unique_name(std::string_view name, bool mark_as_used);

  Node* find(std::string_view name) const;
  Node* node(int id) const;  ///< null if there is none
  int last_id() const;
  /// The largest id of a node that ever asked for a device; 0 if none did.
  int last_id_with_device() const;
  std::vector<Node*> nodes() const;

  /// Merges what the caller knows into an output's shape.
  Status set_shape(Endpoint endpoint, const PartialShape& shape);
  PartialShape shape(Endpoint endpoint) const;
  void add_control_input(Node* node, Node* input);
  /// Replaces input `index`; the type must fit.
  Status update_input(Node* node, int index, Endpoint source);
  void set_attr(Node* node, std::string_view name, AttrValue value);
  void clear_attr(Node* node, std::string_view name);
  void set_device(Node* node, std::string device);

  /// Changes when a node that was constant, or others' constant values were made of, was changed. The lock is held.
  int64_t constants_version() const { return constants_version_; }
  /// The value of an endpoint that depends on constants only and is small; invalid Tensor otherwise.
  Tensor constant_value(Endpoint endpoint);
  /// What is known of an int vector's entries, read as a shape.
  PartialShape constant_value_as_shape(Endpoint endpoint);

  /// For readers that walk over many nodes (planning, export).
  std::unique_lock<std::recursive_mutex> lock() const { return std::unique_lock(mutex_); }

 private:
  Status infer_shapes(Node& node);
  void refresh_constants(Node* changed);
  template <class Change>
  void change(Node& node, Change change);

  mutable std::recursive_mutex mutex_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by id - 1
  std::unordered_map<std::string_view, Node*> by_name_;
  std::unordered_map<std::string, int> names_in_use_;  // lower case → next suffix
  int last_id_with_device_ = 0;
  int64_t constants_version_ = 0;
};

}  // namespace tinytf
