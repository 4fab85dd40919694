#include "services/function_calls.h"

#include <atomic>

namespace tinytf {

namespace {

Status call_nobody(const FunctionCall& call, std::vector<Tensor>&) {
  return failed_precondition("Cannot call function ", call.token,
                             ": no caller of functions is set (see set_function_caller)");
}

std::atomic<FunctionCaller> function_caller{call_nobody};

}  // namespace

void set_function_caller(FunctionCaller caller) { function_caller.store(caller); }

Status call_function(const FunctionCall& call, std::vector<Tensor>& results) {
  return function_caller.load(std::memory_order_relaxed)(call, results);
}

}  // namespace tinytf
