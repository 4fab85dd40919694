#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "op/function_runner.h"
#include "runtime/plan/plan.h"

namespace tinytf {

class Session;

/// Runs functions of a session's graph for kernels that call them, each by a plan of its own that is compiled when it
/// is first called. All calls of a function share the state of its nodes. Thread-safe.
class SessionFunctions final : public FunctionRunner {
 public:
  explicit SessionFunctions(Session& session) : session_(session) {}

  Status run(const FuncRef& function, const StepServices& step, std::vector<Tensor> arguments,
             std::vector<Tensor>& results) override;
  /// Lets go of the plans, when no step runs any more.
  void clear();

 private:
  using Attrs = std::vector<std::pair<std::string, std::string>>;
  Result<RefPtr<Plan>> plan_of(const FuncRef& function);

  Session& session_;
  std::mutex mutex_;  // held for a moment, and with no other lock
  std::map<std::pair<std::string, Attrs>, RefPtr<Plan>> plans_;
};

}  // namespace tinytf
