#include "op/function_runner.h"

#include <atomic>
#include <memory>

namespace tinytf {

namespace {

std::atomic<uint64_t> next_runner_id{1};

/// A call that runs in the background.
struct BackgroundCall {
  RefPtr<FunctionInstance> function;
  std::vector<Tensor> arguments, results;
  FunctionInstance::Done done;

  void end(const Status& status) {
    if (!status.ok()) results.clear();
    done(status, std::move(results));
  }
};

}  // namespace

void FunctionInstance::run_async(BackgroundWork& work, BackgroundHost& host, std::vector<Tensor> arguments, Done done) {
  auto call = std::make_shared<BackgroundCall>(
      BackgroundCall{RefPtr<FunctionInstance>::share(this), std::move(arguments), {}, std::move(done)});
  const auto run = [call](const KernelServices& step) {
    return call->function->run(step, call->arguments, call->results);
  };
  const Status started = work.start(host, run, [call](const Status& status) { call->end(status); });
  if (!started.ok()) call->end(started);
}

uint64_t FunctionRunner::new_id() { return next_runner_id.fetch_add(1, std::memory_order_relaxed); }

}  // namespace tinytf
