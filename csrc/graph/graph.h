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

/// A request to add a node.
struct NodeRequest {
  std::string name;  ///< The final name; must be unique in the graph.
  std::string op;
  std::vector<Endpoint> inputs;
  std::vector<int> group_sizes;  ///< Length of each declared input; used to infer list attrs.
  std::vector<Node*> control_inputs;
  AttrMap attrs;
  std::string device;
  AttrProtos written_attrs;  ///< See Node::written_attrs.
  /// The declaration of `op`, if the graph cannot find it by name: a function of another graph, which must outlive this
  /// one, or the result of Graph::Addition::declare.
  const OpDef* declared = nullptr;
};

/// How extend_call changes a node that calls functions.
struct LongerCall {
  std::map<std::string, std::vector<std::string>> functions;  ///< New function names, by attr.
  std::vector<Endpoint> inputs;                               ///< Additional inputs.
  std::vector<DType> outputs;                                 ///< Dtypes of the additional outputs.
  std::vector<PartialShape> shapes;                           ///< Static shapes of the additional outputs.
};

/// Whether the name consists of letters, digits, periods, and, after the first character, underscores, hyphens and
/// slashes.
bool is_valid_node_name(std::string_view name);

/// A growing set of nodes. Every public method takes the graph's lock unless it says that the caller holds it, so
/// sessions can plan on one thread while another thread adds nodes. Nodes are never removed, so pointers to them stay
/// valid.
class Graph : public RefCounted {
 public:
  class Addition;

  /// Checks the request against the op's declaration, infers dtypes and shapes, and adds the node. On failure the graph
  /// is unchanged.
  Result<Node*> add_node(NodeRequest request);

  /// Returns `name` if it is not in use, else the first unused of name_1, name_2, …. Names are compared
  /// case-insensitively, as in TensorFlow.
  std::string unique_name(std::string_view name, bool mark_as_used);
  /// Keeps unique_name from returning `name`. For nodes whose names did not come from unique_name.
  void mark_as_used(std::string_view name);

  Node* find(std::string_view name) const;
  Node* node(int id) const;  ///< Null if there is none.
  int last_id() const;
  /// The largest id of a node that ever had a device request; 0 if there was none.
  int last_id_with_device() const;
  std::vector<Node*> nodes() const;

  /// Merges a shape that the caller knows into an output's static shape. InvalidArgument if they are incompatible.
  Status set_shape(Endpoint endpoint, const PartialShape& shape);
  PartialShape shape(Endpoint endpoint) const;
  /// As the free function rely_on_shapes, with the graph's lock.
  void rely_on_shapes_of(const Node& node);
  void add_control_input(Node* node, Node* input);
  /// Replaces input `index`. If the new input has another dtype than the node expects, the step that runs the node
  /// fails, as in TensorFlow. OutOfRange if there is no such input.
  Status update_input(Node* node, int index, Endpoint source);
  /// As update_input, but InvalidArgument if the shape of `source` is incompatible with the known shape of the input,
  /// which is the merged shape of the original input and of all its replacements.
  Status replace_input(Node* node, int index, Endpoint source);
  void set_attr(Node* node, std::string_view name, AttrValue value);
  void clear_attr(Node* node, std::string_view name);
  void set_device(Node* node, std::string device);
  /// A node's device request, and the colocation groups that a node joins to be colocated with it.
  struct Place {
    std::string device;
    std::vector<std::string> groups;
  };
  Place place_of(const Node& node) const;
  /// Colocates a node with others, of this graph or of other graphs. It joins their groups, in addition to its own if
  /// `keeps_groups`. Its device becomes that of the last of `others` that has one, else `*device`; null keeps its
  /// device.
  void colocate(Node* node, const std::vector<Place>& others, const std::string* device, bool keeps_groups);

  /// Incremented when an input or a non-private attr of any node changes, since constants may have been derived from
  /// the node. The caller holds the lock.
  int64_t constants_version() const { return constants_version_; }
  /// The value of an endpoint that depends only on constants and is small; else an invalid Tensor.
  Tensor constant_value(Endpoint endpoint);
  /// The statically known entries of an int vector, as a shape.
  PartialShape constant_value_as_shape(Endpoint endpoint);

  /// The functions that nodes may call. The caller holds the lock.
  FunctionLibrary& functions() { return functions_; }
  const FunctionLibrary& functions() const { return functions_; }
  /// Adds a function that is a part of another graph, with the functions of that graph, which it may call. Fails as
  /// FunctionLibrary::add does, and with InvalidArgument if the function is a part of this graph.
  Status add_function(const std::string& name, std::shared_ptr<const FunctionBody> body);
  /// The body of a function, instantiated from its definition at the first request; for a name made by gradient_name,
  /// the body of the gradient. NotFound if there is no such function. Also fails as instantiate and gradient do.
  Result<std::shared_ptr<const FunctionBody>> function(const FuncRef& wanted);
  /// Function bodies belong to other graphs, which may grow: their nodes may call functions that were added after this
  /// graph's library had taken the body. Copies from those graphs the parts of a function that this graph's library
  /// lacks. Returns whether anything was added.
  bool take_from_bodies(const FuncRef& wanted);
  /// As take_from_bodies, for all functions that nodes of those graphs name.
  void take_what_bodies_call();
  /// The op of that name, or the declaration of nodes that call the function of that name; null if there is neither.
  const OpDef* find_op(std::string_view name) const;
  /// Adds functions, which nodes added later may call. Fails as FunctionLibrary::add does.
  Status add_functions(const FunctionLibrary& functions);
  Status set_gradient(const std::string& function, const std::string& gradient);
  /// Records the derived gradient of a function, and adds the functions of the gradient's graph. The gradient takes the
  /// function's arguments followed by the gradients of its results, and returns the gradients of the arguments. Keeps
  /// the recorded gradient if there is one. Fails as add_function does.
  Status add_derived(const FuncRef& function, FunctionLibrary::Derived derived);
  /// Makes a node call other functions, which take and return the same values as the original ones and then additional
  /// ones. InvalidArgument if the node calls no functions, or if it is a loop and the additional inputs and outputs
  /// differ in dtype.
  Status extend_call(Node* node, const LongerCall& change);

  /// Sets the GraphDef version whose op set the graph uses: nodes of functions that are instantiated here fail if their
  /// op was removed in that version. 0, the default, allows all ops.
  void set_ops_of(int32_t version);
  /// The caller holds the lock.
  int32_t ops_of() const { return ops_of_; }

  /// For callers that visit many nodes, such as planning and export.
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
  std::vector<std::unique_ptr<Node>> nodes_;  // By id - 1.
  std::unordered_map<std::string_view, Node*> by_name_;
  FunctionLibrary functions_;
  // Bodies instantiated from definitions, by text_of.
  std::map<std::string, std::shared_ptr<const FunctionBody>> instances_;
  std::unordered_map<std::string, int> names_in_use_;  // Lower-case name → next suffix.
  int last_id_with_device_ = 0;
  int64_t constants_version_ = 0;
  int32_t ops_of_ = 0;
  std::map<std::pair<const Node*, int>, PartialShape> replaced_shapes_;  // Known shapes of replaced inputs.
  std::deque<OpDef> unknown_ops_;                                        // One for each node whose op is not declared.
};

/// A transaction: adds nodes together or not at all. It holds the graph's lock from construction to destruction. Unless
/// keep() was called, its destructor removes the added nodes, functions and declarations.
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
  /// Adds functions, which nodes added later may call. To be called at most once. Fails as FunctionLibrary::add does.
  Status add_functions(const FunctionLibrary& functions);
  /// Stores the declaration made for a node whose op is not declared. It lives as long as the graph.
  const OpDef* declare(OpDef op) { return &graph_.unknown_ops_.emplace_back(std::move(op)); }
  /// Lowers the graph's GraphDef version (see set_ops_of) to `version` if it is higher.
  void lower_ops_of(int32_t version) { graph_.ops_of_ = std::min(graph_.ops_of_, version); }
  void keep() { kept_ = true; }

 private:
  Graph& graph_;
  std::lock_guard<std::recursive_mutex> lock_;
  const size_t before_;
  const size_t unknown_before_;
  const int device_before_;
  const int32_t ops_of_before_;
  std::unique_ptr<FunctionLibrary> functions_before_;  // Null if no functions were added.
  std::map<std::string, std::shared_ptr<const FunctionBody>> instances_before_;
  bool kept_ = false;
};

}  // namespace tinytf
