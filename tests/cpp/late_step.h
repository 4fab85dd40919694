#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "op/async_kernel.h"
#include "op/kernel.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace testing {

/// A step with one node of the given output types that completes later. Thread-safe; must outlive the operation it
/// waits for.
class LateStep {
 public:
  explicit LateStep(const std::vector<DType>& types, Allocator& allocator = Allocator::process()) {
    for (const DType type : types) node_.outputs.push_back({type, false});
    outputs_.resize(types.size());
    step_.allocator = &allocator;
    step_.cancellation = &cancellation;
    context_ = std::make_unique<KernelContext>(node_, step_, nullptr, nullptr, outputs_.data(), 0);
  }
  KernelContext& context() { return *context_; }
  AsyncKernel::Done done() {
    return [this](Status status) {
      const std::lock_guard lock(mutex_);
      status_ = std::move(status);
      ++calls_;
      changed_.notify_all();
    };
  }
  Status wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return calls_ > 0; });
    EXPECT_EQ(calls_, 1);
    return status_;
  }
  bool is_done() const {
    const std::lock_guard lock(mutex_);
    return calls_ > 0;
  }
  const Tensor& output(int i) const { return outputs_[static_cast<size_t>(i)].tensor; }

  Cancellation cancellation;

 private:
  NodeInfo node_;
  std::vector<Slot> outputs_;
  KernelServices step_;
  std::unique_ptr<KernelContext> context_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
  Status status_;
};

}  // namespace testing
}  // namespace tinytf
