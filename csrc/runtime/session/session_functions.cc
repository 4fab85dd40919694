#include "runtime/session/session_functions.h"

#include "graph/function_body.h"
#include "graph/passes/inliner.h"
#include "graph/passes/unknown_ops.h"
#include "runtime/session/session.h"
#include "runtime/step/execute.h"

namespace tinytf {

namespace {

/// Limit of nested function calls on one thread, because its stack is bounded.
constexpr int kMostNested = 100;
thread_local int nested = 0;

class Nesting {
 public:
  Nesting() { ++nested; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --nested; }
};

/// Ends a function's loops and waits when the enclosing step ends.
class EndOfStep final : public Interrupt {
 public:
  explicit EndOfStep(LoopStopCheck* stop_check) : stop_check_(stop_check) {}
  bool interrupted() override { return stop_check_ != nullptr && stop_check_->is_over(); }

 private:
  LoopStopCheck* const stop_check_;
};

}  // namespace

void SessionFunctions::note_owner(const Kernel* kernel, const SubgraphNode& node) {
  std::lock_guard lock(mutex_);
  owners_.try_emplace(kernel, CallPath{node.origin, node.call});
}

std::shared_ptr<const CallPath> SessionFunctions::path_of(const FuncRef& function, FunctionOwner owner) {
  CallPath path;
  {
    std::lock_guard lock(mutex_);
    const auto found = owners_.find(owner.kernel);
    if (found == owners_.end()) return nullptr;
    path = found->second;
  }
  for (const CallPath* around = path.caller.get(); around != nullptr; around = around->caller.get()) {
    if (around->function == function.name) return nullptr;
  }
  path.function = function.name;
  path.branch = owner.branch;
  return std::make_shared<const CallPath>(std::move(path));
}

Result<RefPtr<Plan>> SessionFunctions::plan_of(const FuncRef& function, FunctionOwner owner) {
  const Key key{function.name, function.attrs, owner.kernel, owner.branch};
  {
    std::lock_guard lock(mutex_);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
  }
  RefPtr<Plan> plan;
  const std::shared_ptr<const CallPath> path = path_of(function, owner);
  if (path == nullptr && owner.kernel != nullptr) {
    TINYTF_ASSIGN_OR_RETURN(plan, plan_of(function, FunctionOwner()));
  } else {
    TINYTF_ASSIGN_OR_RETURN(plan, make_plan(function, path));
  }
  std::lock_guard lock(mutex_);
  return plans_.emplace(key, std::move(plan)).first->second;
}

Result<RefPtr<Plan>> SessionFunctions::make_plan(const FuncRef& function, const std::shared_ptr<const CallPath>& path) {
  TINYTF_ASSIGN_OR_RETURN(const auto body, session_.graph_->function(function));
  RunSignature signature;
  signature.feeds = body->arguments;
  signature.fetches = body->results;
  signature.targets = body->targets;
  const auto graph_lock = session_.graph_->lock();
  const auto body_lock = body->graph->lock();
  TINYTF_ASSIGN_OR_RETURN(Subgraph subgraph, prune(signature.feeds, signature.fetches, signature.targets));
  if (!is_never_inlined(*session_.graph_, function)) {
    for (SubgraphNode& node : subgraph.nodes) node.call = path;
  }
  TINYTF_RETURN_IF_ERROR(session_.expand(subgraph));
  TINYTF_RETURN_IF_ERROR(check_ops_known(subgraph));
  TINYTF_ASSIGN_OR_RETURN(Program program, session_.program_of(subgraph, signature));
  return make_ref<Plan>(std::move(program));
}

Status SessionFunctions::run(const FuncRef& function, const KernelServices& step, std::vector<Tensor> arguments,
                             std::vector<Tensor>& results, FunctionOwner owner) {
  const Nesting one_more;
  if (nested > kMostNested) {
    return Status(Code::kResourceExhausted, str_cat("Calls of functions are nested in more than ", kMostNested,
                                                    " levels, at function ", function.name));
  }
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Plan> plan, plan_of(function, owner));
  const Program& program = plan->program();
  if (arguments.size() != program.feed_types.size()) {
    return invalid_argument("Function ", function.name, " has ", program.feed_types.size(), " args, not ",
                            arguments.size());
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].dtype() == program.feed_types[i]) continue;
    return invalid_argument("Expects arg[", i, "] of function ", function.name, " to be ",
                            dtype_name(program.feed_types[i]), " but ", dtype_name(arguments[i].dtype()),
                            " is provided");
  }
  EndOfStep end(step.stop_check);
  StepStopCheck stop_check(0, &end);
  PoolParallel parallel = session_.parallel(step.stop_check);
  StepServices services(step);
  services.parallel = &parallel;
  services.whole.parallel = &session_.parallel_;
  auto slots = plan->take_slots();
  const Status status = execute(*plan, services, *slots, StepThreads(), stop_check, arguments, results);
  plan->return_slots(std::move(slots));
  return status;
}

void SessionFunctions::clear() {
  decltype(plans_) plans;  // Destroyed after the lock is released.
  {
    std::lock_guard lock(mutex_);
    plans.swap(plans_);
    owners_.clear();
  }
}

}  // namespace tinytf
