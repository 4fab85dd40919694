#include "runtime/functions/planned_function.h"

#include <utility>

#include "runtime/functions/row_function.h"
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

PlannedFunction::PlannedFunction(std::string name, RefPtr<Plan> plan, int threads, FunctionRunner& runner)
    : FunctionInstance(plan->program().feed_types, plan->program().fetch_types),
      name_(std::move(name)),
      threads_(threads),
      runner_(runner),
      plan_(std::move(plan)) {}

Status PlannedFunction::check(const std::vector<Tensor>& arguments) const {
  const std::vector<DType>& wanted = argument_types();
  if (arguments.size() != wanted.size()) {
    return invalid_argument("Function ", name_, " has ", wanted.size(), " args, not ", arguments.size());
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (arguments[i].dtype() == wanted[i]) continue;
    return invalid_argument("Expects arg[", i, "] of function ", name_, " to be ", dtype_name(wanted[i]), " but ",
                            dtype_name(arguments[i].dtype()), " is provided");
  }
  return Status();
}

bool PlannedFunction::maps_rows(size_t row_arguments) const {
  return plan_ != nullptr && tinytf::maps_rows(plan_->program(), row_arguments);
}

Status PlannedFunction::run(const KernelServices& step, std::vector<Tensor>& arguments, std::vector<Tensor>& results) {
  const Nesting one_more;
  if (nested > kMostNested) {
    return Status(Code::kResourceExhausted,
                  str_cat("Calls of functions are nested in more than ", kMostNested, " levels, at function ", name_));
  }
  if (plan_ == nullptr) return Status(Code::kCancelled, str_cat("Function ", name_, " is of a session that is closed"));
  TINYTF_RETURN_IF_ERROR(check(arguments));
  EndOfStep end(step.stop_check);
  StepStopCheck stop_check(0, &end);
  PoolParallel parallel(ThreadPool::process(), threads_, step.stop_check);
  PoolParallel whole(ThreadPool::process(), threads_);
  StepServices services(step);
  services.parallel = &parallel;
  services.whole.parallel = &whole;
  services.functions = services.whole.functions = &runner_;
  auto slots = plan_->take_slots();
  const Status status = execute(*plan_, services, *slots, StepThreads(), stop_check, arguments, results);
  plan_->return_slots(std::move(slots));
  return status;
}

}  // namespace tinytf
