#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"
#include "op/function_runner.h"
#include "runtime/plan/plan.h"

namespace tinytf {

class Session;

/// Runs functions of a session's graph for kernels that call them, each by a plan of its own that is compiled when it
/// is first called. Calls for one owner share the state of a function's nodes, as do all calls without one.
/// Thread-safe.
class SessionFunctions final : public FunctionRunner {
 public:
  explicit SessionFunctions(Session& session) : session_(session) {}

  Status run(const FuncRef& function, const StepServices& step, std::vector<Tensor> arguments,
             std::vector<Tensor>& results, FunctionOwner owner = {}) override;
  /// Where a kernel stands that may be an owner. An unknown one is none.
  void note_owner(const Kernel* kernel, const SubgraphNode& node);
  /// Lets go of the plans, when no step runs any more.
  void clear();

 private:
  using Attrs = std::vector<std::pair<std::string, std::string>>;
  using Key = std::tuple<std::string, Attrs, const Kernel*, int>;
  Result<RefPtr<Plan>> plan_of(const FuncRef& function, FunctionOwner owner);
  Result<RefPtr<Plan>> make_plan(const FuncRef& function, const std::shared_ptr<const CallPath>& path);
  /// The owner's call of the function. Null if there is no owner, and where the function is among those that the owner
  /// is in: each level of its calls would have a plan of its own.
  std::shared_ptr<const CallPath> path_of(const FuncRef& function, FunctionOwner owner);

  Session& session_;
  std::mutex mutex_;  // held for a moment, and with no other lock
  std::map<Key, RefPtr<Plan>> plans_;
  std::map<const Kernel*, CallPath> owners_;  // the calls that they make, as far as all of their functions have it
};

}  // namespace tinytf
