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

/// Whether TensorFlow leaves a function to a kernel, wherever it is called: then its nodes are there once. The graph's
/// lock is held.
bool is_never_inlined(Graph& graph, const FuncRef& function);

/// Puts functions in place of the nodes that call them: see inline_functions. Used once.
class Inliner {
 public:
  Inliner(Subgraph& subgraph, Graph& graph, bool cuts_branches = false)
      : subgraph_(subgraph), graph_(graph), cuts_branches_(cuts_branches), predicates_(nodes_) {}
  Status run();

 private:
  using Input = SubgraphNode::Input;
  using Bodies = std::vector<std::shared_ptr<const FunctionBody>>;

  /// What stands for a function that was called.
  struct Called {
    std::vector<Input> results;
    std::vector<int> effects;  ///< nodes to wait for beside
  };
  /// One of two ways, as a part of the node that is given.
  using Way = std::function<Result<Called>(const SubgraphNode&)>;

  int last() const { return static_cast<int>(nodes_.size()) - 1; }

  /// The node, whose inputs are in place, or what it calls; the last node that is added stands for it.
  Status add(SubgraphNode node);
  /// The functions that a node calls. None if it calls none, or they are left to its kernel: what is being put into its
  /// callers, and all when there are many nodes.
  Result<Bodies> bodies_of(const SubgraphNode& node);
  Result<Called> add_called(const SubgraphNode& node, const Bodies& bodies);
  /// Adds a body, the function number `branch` of the caller: named after `caller` and itself, taking its inputs,
  /// waiting for what it waits for.
  Result<Called> add_body(const SubgraphNode& caller, const FunctionBody& body, size_t branch = 0);

  /// As add_body, for a branch, or for condition or body of a loop: all in there is in the iteration of what the caller
  /// waits for.
  Result<Called> add_part(const SubgraphNode& caller, const FunctionBody& body, size_t branch = 0);
  /// A call, whose body has nodes that take nothing: they belong to the iteration that the call is in, if it is in one.
  SubgraphNode within_iteration(const SubgraphNode& call);

  // In lower_branches.cc.

  /// What `if_true` yields where the predicate holds, else what `if_false` does.
  Result<Called> choose(const SubgraphNode& node, Input predicate, const Way& if_true, const Way& if_false);
  /// The branch with the number that the node's first input is, of those from `first` on; the last one if there is
  /// none.
  Result<Called> choose_branch(const SubgraphNode& node, const Bodies& branches, size_t first);
  /// A branch that is known to be the one that runs.
  struct KnownBranch {
    size_t number = 0;  ///< among the node's functions
    std::string part;   ///< of the names of its nodes
  };
  std::optional<KnownBranch> known_branch(const SubgraphNode& node, size_t count);
  /// A constant in the iteration that the node's first input is in.
  Input number_beside(const SubgraphNode& node, size_t value);
  Result<Called> add_known(const SubgraphNode& node, const KnownBranch& branch, const FunctionBody& body);
  /// What says whether a value counts as true. InvalidArgument for one that is no bool, of a node that is lowered.
  Result<Input> truth_of(const SubgraphNode& node, Input value);

  Result<Called> add_loop(const SubgraphNode& node, const FunctionBody& cond,
                          const FunctionBody& body);  // in lower_loops.cc

  Input behind_copy(Input result) const;
  /// Adds a node for the work of `of`. Its output 0.
  Input add_node(const SubgraphNode& of, const char* op, std::vector<DType> outputs, std::vector<Input> inputs,
                 std::vector<int> controls = {}, AttrMap attrs = {});
  DType type_of(Input input) const { return nodes_[input.node].info->outputs[input.output].dtype; }
  /// The node with other inputs, and something else to wait for.
  static SubgraphNode given(const SubgraphNode& node, std::vector<Input> inputs, std::vector<int> controls);
  /// The node under a longer name.
  static SubgraphNode named(SubgraphNode node, const std::string& part);
  void read_references(SubgraphNode& call);
  static SubgraphNode stand_in(SubgraphNode call, Called called);

  Subgraph& subgraph_;
  Graph& graph_;
  const bool cuts_branches_;
  std::vector<SubgraphNode> nodes_;         // in their new places
  KnownPredicates predicates_;              // of them
  std::vector<BackEdge> back_edges_;        // as well
  std::vector<int> places_;                 // of the subgraph's nodes
  std::vector<const FunctionBody*> stack_;  // bodies that are being put into their callers
  std::set<const FunctionBody*> apart_;     // of functions whose calls have what their nodes keep in common
  std::vector<int> around_;                 // what is there in the branch or iteration that nodes are added to
  bool has_control_flow_ = false;           // there are loops and branches that are no functions
};

}  // namespace tinytf
