#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/function_body.h"
#include "graph/passes/known_predicates.h"
#include "graph/passes/subgraph.h"

namespace tinytf {

/// Whether a function has the attr `_noinline`. TensorFlow leaves it to a kernel, so all of its calls share the state
/// of its nodes. The caller holds the graph's lock.
bool is_never_inlined(Graph& graph, const FuncRef& function);

/// Implementation of inline_functions. An object runs once.
class Inliner {
 public:
  Inliner(Subgraph& subgraph, Graph& graph, bool cuts_branches = false)
      : subgraph_(subgraph), graph_(graph), cuts_branches_(cuts_branches), predicates_(nodes_) {}
  Status run();

 private:
  using Input = SubgraphNode::Input;
  using Bodies = std::vector<std::shared_ptr<const FunctionBody>>;

  /// The nodes that replace a call.
  struct Called {
    std::vector<Input> results;
    std::vector<int> effects;  ///< Nodes to wait for in addition to the results.
  };
  /// Adds one side of a conditional, as a part of the given node.
  using Way = std::function<Result<Called>(const SubgraphNode&)>;

  int last() const { return static_cast<int>(nodes_.size()) - 1; }

  /// Adds a node, whose inputs refer to new places, or the functions that it calls. The last node that is added
  /// represents it.
  Status add(SubgraphNode node);
  /// The functions that a node calls. Empty if it calls none or its kernel runs them, as for recursive calls, and for
  /// all calls once there are too many nodes.
  Result<Bodies> bodies_of(const SubgraphNode& node);
  Result<Called> add_called(const SubgraphNode& node, const Bodies& bodies);
  /// Adds the body of function number `branch` of the caller: its nodes are named after `caller` and take the caller's
  /// inputs and control inputs.
  Result<Called> add_body(const SubgraphNode& caller, const FunctionBody& body, size_t branch = 0);

  /// As add_body, for a branch, or for the condition or body of a loop: all nodes are in the branch or iteration of the
  /// caller's control inputs.
  Result<Called> add_part(const SubgraphNode& caller, const FunctionBody& body, size_t branch = 0);
  /// The call, with a control input if needed to keep nodes of the body that have no inputs in the iteration of the
  /// call.
  SubgraphNode within_iteration(const SubgraphNode& call);

  // The following are in lower_branches.cc.

  /// Adds a conditional: the results of `if_true` if the predicate holds, else of `if_false`.
  Result<Called> choose(const SubgraphNode& node, Input predicate, const Way& if_true, const Way& if_false);
  /// Adds a choice among the branches from number `first` on, by the node's first input; an index out of range selects
  /// the last branch.
  Result<Called> choose_branch(const SubgraphNode& node, const Bodies& branches, size_t first);
  /// A branch that is known to be taken.
  struct KnownBranch {
    size_t number = 0;  ///< Index among the node's functions.
    std::string part;   ///< Suffix of its nodes' names.
  };
  std::optional<KnownBranch> known_branch(const SubgraphNode& node, size_t count);
  /// Adds a constant in the iteration of the node's first input.
  Input number_beside(const SubgraphNode& node, size_t value);
  Result<Called> add_known(const SubgraphNode& node, const KnownBranch& branch, const FunctionBody& body);
  /// The value as a bool. InvalidArgument if a lowered node has a predicate of another dtype.
  Result<Input> truth_of(const SubgraphNode& node, Input value);

  Result<Called> add_loop(const SubgraphNode& node, const FunctionBody& cond,
                          const FunctionBody& body);  // In lower_loops.cc.

  Input behind_copy(Input result) const;
  /// Adds a node on behalf of `of`. Returns its output 0.
  Input add_node(const SubgraphNode& of, const char* op, std::vector<DType> outputs, std::vector<Input> inputs,
                 std::vector<int> controls = {}, AttrMap attrs = {});
  DType type_of(Input input) const { return nodes_[input.node].info->outputs[input.output].dtype; }
  /// A copy of the node with other inputs and control inputs.
  static SubgraphNode given(const SubgraphNode& node, std::vector<Input> inputs, std::vector<int> controls);
  /// The node with `part` appended to its name.
  static SubgraphNode named(SubgraphNode node, const std::string& part);
  void read_references(SubgraphNode& call);
  static SubgraphNode stand_in(SubgraphNode call, Called called);

  Subgraph& subgraph_;
  Graph& graph_;
  const bool cuts_branches_;
  std::vector<SubgraphNode> nodes_;         // The new nodes.
  KnownPredicates predicates_;              // Of `nodes_`.
  std::vector<BackEdge> back_edges_;        // Of `nodes_`.
  std::vector<int> places_;                 // By old index: the new index.
  std::vector<const FunctionBody*> stack_;  // Bodies that are being inlined.
  std::set<const FunctionBody*> apart_;     // Functions whose calls share the state of their nodes.
  std::vector<int> around_;                 // Control inputs that are live in the branch or iteration being added.
  bool has_control_flow_ = false;           // The subgraph has control flow ops outside of functions.
};

}  // namespace tinytf
