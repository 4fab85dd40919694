#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ref_ptr.h"
#include "graph/function_library.h"
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
  AttrProtos written_attrs;  ///< see Node
  /// `op`, where the graph does not find it by its name: a function of another graph, which lives as long, or what
  /// Graph::Addition::declare made.
  const OpDef* declared = nullptr;
};

/// How a node that calls functions is changed.
struct LongerCall {
  std::map<std::string, std::vector<std::string>> functions;  ///< by attr those that it calls from now on
  std::vector<Endpoint> inputs;                               ///< that it gets beside the others
  std::vector<DType> outputs;                                 ///< that it yields beside the others
  std::vector<PartialShape> shapes;                           ///< of those
};

/// Letters, digits, periods, and behind the first place underscores, hyphens and slashes.
bool is_valid_node_name(std::string_view name);

/// A growing set of nodes. Every public function takes the graph's lock, so that sessions can plan on one thread while
/// another thread adds nodes; nodes are never removed, so pointers to them stay valid.
class Graph : public RefCounted {
 public:
  class Addition;

  /// Validates the request against the op's declaration, infers types and shapes, and adds the node. Nothing is changed
  /// when it fails.
  Result<Node*> add_node(NodeRequest request);

  /// `name` if it is new, else the first free of name_1, name_2, …: case-insensitively, as TensorFlow counts.
  std::string unique_name(std::string_view name, bool mark_as_used);
  /// From now on unique_name hands out another name than this one, which a node has that did not ask for it.
  void mark_as_used(std::string_view name);

  Node* find(std::string_view name) const;
  Node* node(int id) const;  ///< null if there is none
  int last_id() const;
  /// The largest id of a node that ever asked for a device; 0 if none did.
  int last_id_with_device() const;
  std::vector<Node*> nodes() const;

  /// Merges what the caller knows into an output's shape.
  Status set_shape(Endpoint endpoint, const PartialShape& shape);
  PartialShape shape(Endpoint endpoint) const;
  /// See rely_on_shapes.
  void rely_on_shapes_of(const Node& node);
  void add_control_input(Node* node, Node* input);
  /// Replaces input `index`. An input of another type than the node takes is an error of the step that runs it, as in
  /// TensorFlow. OutOfRange if there is no such input.
  Status update_input(Node* node, int index, Endpoint source);
  /// The same; InvalidArgument for a shape that does not fit all that is known of the input's shape: what the node got
  /// there before, and what has replaced it since.
  Status replace_input(Node* node, int index, Endpoint source);
  void set_attr(Node* node, std::string_view name, AttrValue value);
  void clear_attr(Node* node, std::string_view name);
  void set_device(Node* node, std::string device);
  /// Where a node asks to be: its device, and the groups that who is beside it joins.
  struct Place {
    std::string device;
    std::vector<std::string> groups;
  };
  Place place_of(const Node& node) const;
  /// Puts a node beside others, of this graph or of others: into their groups, and those that it `keeps`; on the device
  /// of the last that has one; if none has, on `device`, or where it was if that is null.
  void colocate(Node* node, const std::vector<Place>& others, const std::string* device, bool keeps_groups);

  /// Changes when a node that was constant, or others' constant values were made of, was changed. The lock is held.
  int64_t constants_version() const { return constants_version_; }
  /// The value of an endpoint that depends on constants only and is small; invalid Tensor otherwise.
  Tensor constant_value(Endpoint endpoint);
  /// What is known of an int vector's entries, read as a shape.
  PartialShape constant_value_as_shape(Endpoint endpoint);

  /// The functions that nodes may name. The lock is held.
  FunctionLibrary& functions() { return functions_; }
  const FunctionLibrary& functions() const { return functions_; }
  /// Adds a function, which is a part of another graph, and those of that graph, which it may call. Fails as
  /// FunctionLibrary::add, and for a part of this one.
  Status add_function(const std::string& name, std::shared_ptr<const FunctionBody> body);
  /// The function of that name and attrs, made of its definition when it is first asked for; or, of a gradient_name,
  /// the gradient. NotFound if there is none; else fails as instantiate, and as gradient.
  Result<std::shared_ptr<const FunctionBody>> function(const FuncRef& wanted);
  /// Bodies are parts of graphs that grow: what these have of a function, and this graph's library has not, since their
  /// nodes came to call it after the library had taken the body. Whether that is anything.
  bool take_from_bodies(const FuncRef& wanted);
  /// The same for all functions that nodes of those graphs name.
  void take_what_bodies_call();
  /// The op of that name, or what nodes are that call the function of that name; null if there is neither.
  const OpDef* find_op(std::string_view name) const;
  /// Adds functions: what `nodes` then adds may call them. Fails as FunctionLibrary::add.
  Status add_functions(const FunctionLibrary& functions);
  Status set_gradient(const std::string& function, const std::string& gradient);
  /// What the gradient of a function is: it takes what the function takes, then gradients of what that yields, and
  /// yields those of what it takes; and the functions of its graph. Nothing happens if there is one. Fails as
  /// add_function.
  Status add_derived(const FuncRef& function, FunctionLibrary::Derived derived);
  /// Has the node call other functions, which take and yield what the first did, and then more. InvalidArgument for a
  /// node that calls none, or that would not yield what it takes if it is a loop.
  Status extend_call(Node* node, const LongerCall& change);

  /// The version of GraphDefs that it is one of: ops that these have no more are errors in functions, where these are
  /// made of definitions. 0, as at first, has all ops.
  void set_ops_of(int32_t version);
  /// The lock is held.
  int32_t ops_of() const { return ops_of_; }

  /// For readers that walk over many nodes (planning, export).
  std::unique_lock<std::recursive_mutex> lock() const { return std::unique_lock(mutex_); }

 private:
  Status infer_shapes(Node& node);
  void infer_call_shapes(Node& node);
  Result<std::shared_ptr<const FunctionBody>> gradient(const FuncRef& of);
  Result<FunctionLibrary> functions_beside(const std::string& name, const FunctionBody& body) const;
  void refresh_constants(Node* changed);
  template <class Change>
  void change(Node& node, Change change);

  mutable std::recursive_mutex mutex_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by id - 1
  std::unordered_map<std::string_view, Node*> by_name_;
  FunctionLibrary functions_;
  std::map<std::string, std::shared_ptr<const FunctionBody>> instances_;  // of definitions, by name and attrs
  std::unordered_map<std::string, int> names_in_use_;                     // lower case → next suffix
  int last_id_with_device_ = 0;
  int64_t constants_version_ = 0;
  int32_t ops_of_ = 0;
  std::map<std::pair<const Node*, int>, PartialShape> replaced_shapes_;  // of inputs that were replaced
  std::deque<OpDef> unknown_ops_;                                        // one for each node whose op is not declared
};

/// Nodes that are added together or not at all. While it lives the graph is locked, and what was added since is taken
/// back at its end unless it was kept: nobody else has seen it.
class Graph::Addition {
 public:
  explicit Addition(Graph& graph)
      : graph_(graph),
        lock_(graph.mutex_),
        before_(graph.nodes_.size()),
        unknown_before_(graph.unknown_ops_.size()),
        device_before_(graph.last_id_with_device_),
        ops_of_before_(graph.ops_of_) {}
  Addition(const Addition&) = delete;
  Addition& operator=(const Addition&) = delete;
  ~Addition();
  /// Adds functions, which nodes that are added then may call. Once; fails as FunctionLibrary::add.
  Status add_functions(const FunctionLibrary& functions);
  /// Keeps the declaration of a node whose op has none, as long as the graph lives.
  const OpDef* declare(OpDef op) { return &graph_.unknown_ops_.emplace_back(std::move(op)); }
  /// The graph becomes one of this version if it is one of a later version.
  void lower_ops_of(int32_t version) { graph_.ops_of_ = std::min(graph_.ops_of_, version); }
  void keep() { kept_ = true; }

 private:
  Graph& graph_;
  std::lock_guard<std::recursive_mutex> lock_;
  const size_t before_;
  const size_t unknown_before_;
  const int device_before_;
  const int32_t ops_of_before_;
  std::unique_ptr<FunctionLibrary> functions_before_;  // null if none were added
  std::map<std::string, std::shared_ptr<const FunctionBody>> instances_before_;
  bool kept_ = false;
};

}  // namespace tinytf
