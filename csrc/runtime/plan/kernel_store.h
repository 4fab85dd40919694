#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"
#include "op/function_runner.h"
#include "op/kernel.h"
#include "op/kernel_state.h"

namespace tinytf {

/// Makes the kernels of plans, and keeps those with state, so that all plans of one owner (a session, or a function
/// with state of its own) share the state of a node. Two calls of a function have separate state unless their CallPath
/// says otherwise. Thread-safe.
class KernelStore {
 public:
  /// The kernel of the node: a kept one, or a new one. Fails as KernelRegistry::create does.
  Result<std::shared_ptr<Kernel>> kernel_for(const SubgraphNode& node);
  /// The path of the owner's call of the function. Null if the owner's kernel is not in this store, and for recursive
  /// calls: otherwise each level of recursion would get its own plan.
  std::shared_ptr<const CallPath> path_of(const FuncRef& function, FunctionOwner owner) const;
  /// The states of the random generators of kept kernels. Names are paths of nodes and calls.
  RandomStates random_states() const;
  /// Sets states of generators. Those of kernels that are made later are set when they are made.
  void set_random_states(RandomStates states);
  /// Frees the kernels. No step may be running.
  void clear();

 private:
  /// A node, and the calls whose function bodies contain it, each with the branch number.
  using Key = std::vector<std::pair<const Node*, int>>;
  static std::string name_of(const Key& key);

  mutable std::mutex mutex_;  // Held briefly, and never together with another lock.
  std::map<Key, std::shared_ptr<Kernel>> kept_;
  std::map<std::string, RandomStateHolder*> generators_;  // Of kept kernels, by the names of their states.
  RandomStates awaited_;                                  // For kernels that are not made yet.
  std::map<const Kernel*, CallPath> owners_;              // The common part of the paths of each kernel's calls.
};

}  // namespace tinytf
