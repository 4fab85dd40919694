#include "op/function_runner.h"

#include <atomic>

namespace tinytf {

namespace {

std::atomic<uint64_t> next_runner_id{1};

}  // namespace

uint64_t FunctionRunner::new_id() { return next_runner_id.fetch_add(1, std::memory_order_relaxed); }

}  // namespace tinytf
