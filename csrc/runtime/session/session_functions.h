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

/// Runs functions of a session's graph for kernels that call them. Each function gets its own plan, compiled at the
/// first call. Calls with the same owner share the state of a function's nodes, and so do all calls without an owner.
/// Thread-safe.
class SessionFunctions final : public FunctionRunner {
 public:
  explicit SessionFunctions(Session& session) : session_(session) {}

  Status run(const FuncRef& function, const KernelServices& step, std::vector<Tensor> arguments,
             std::vector<Tensor>& results, FunctionOwner owner = {}) override;
  /// Registers the position of a kernel that may own calls. A kernel that was not registered does not count as an
  /// owner.
  void note_owner(const Kernel* kernel, const SubgraphNode& node);
  /// Frees the plans. No step may be running.
  void clear();

 private:
  using Attrs = std::vector<std::pair<std::string, std::string>>;
  using Key = std::tuple<std::string, Attrs, const Kernel*, int>;
  Result<RefPtr<Plan>> plan_of(const FuncRef& function, FunctionOwner owner);
  Result<RefPtr<Plan>> make_plan(const FuncRef& function, const std::shared_ptr<const CallPath>& path);
  /// The path of the owner's call of the function. Null if there is no owner, and for recursive calls: otherwise each
  /// level of recursion would get its own plan.
  std::shared_ptr<const CallPath> path_of(const FuncRef& function, FunctionOwner owner);

  Session& session_;
  std::mutex mutex_;  // Held briefly, and never together with another lock.
  std::map<Key, RefPtr<Plan>> plans_;
  std::map<const Kernel*, CallPath> owners_;  // The common part of the paths of each owner's calls.
};

}  // namespace tinytf
