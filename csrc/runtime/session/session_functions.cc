#include "runtime/session/session_functions.h"

#include "graph/function_body.h"
#include "graph/passes/unknown_ops.h"
#include "runtime/session/session.h"
#include "runtime/step/execute.h"

namespace tinytf {

namespace {

/// Functions in functions on one thread, whose stack is finite.
constexpr int kMostNested = 100;
thread_local int nested = 0;

class Nesting {
 public:
  Nesting() { ++nested; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --nested; }
};

/// A function's loops and waits end when the step does that it is a part of.
class EndOfStep final : public Interrupt {
 public:
  explicit EndOfStep(LoopWatch* watch) : watch_(watch) {}
  bool interrupted() override { return watch_ != nullptr && watch_->is_over(); }

 private:
  LoopWatch* const watch_;
};

}  // namespace

Result<RefPtr<Plan>> SessionFunctions::plan_of(const FuncRef& function) {
  const std::pair<std::string, Attrs> key{function.name, function.attrs};
  {
    std::lock_guard lock(mutex_);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
  }
  TINYTF_ASSIGN_OR_RETURN(const auto body, session_.graph_->function(function));
  RunSignature signature;
  signature.feeds = body->arguments;
  signature.fetches = body->results;
  signature.targets = body->targets;
  RefPtr<Plan> plan;
  {
    const auto graph_lock = session_.graph_->lock();
    const auto body_lock = body->graph->lock();
    TINYTF_ASSIGN_OR_RETURN(Subgraph subgraph, prune(signature.feeds, signature.fetches, signature.targets));
    TINYTF_RETURN_IF_ERROR(session_.expand(subgraph));
    TINYTF_RETURN_IF_ERROR(check_ops_known(subgraph));
    TINYTF_ASSIGN_OR_RETURN(Program program, session_.program_of(subgraph, signature));
    plan = make_ref<Plan>(std::move(program));
  }
  std::lock_guard lock(mutex_);
  return plans_.emplace(key, std::move(plan)).first->second;
}

Status SessionFunctions::run(const FuncRef& function, const StepServices& step, std::vector<Tensor> arguments,
                             std::vector<Tensor>& results) {
  const Nesting one_more;
  if (nested > kMostNested) {
    return Status(Code::kResourceExhausted,
                  str_cat("Function ", function.name, " is called by functions in ", kMostNested, " levels"));
  }
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Plan> plan, plan_of(function));
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
  EndOfStep end(step.watch);
  StepWatch watch(0, &end);
  PoolParallel parallel = session_.parallel(step.watch);
  StepLoan loan(step);
  loan.parallel = &parallel;
  loan.whole.parallel = &session_.parallel_;
  auto slots = plan->take_slots();
  const Status status = execute(*plan, loan, *slots, StepThreads(), watch, arguments, results);
  plan->return_slots(std::move(slots));
  return status;
}

void SessionFunctions::clear() {
  decltype(plans_) plans;  // go without the lock
  {
    std::lock_guard lock(mutex_);
    plans.swap(plans_);
  }
}

}  // namespace tinytf
