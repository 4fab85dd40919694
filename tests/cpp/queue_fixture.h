#pragma once

// Queue ops without a graph; asynchronous ones are started and awaited separately.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "op/async_kernel.h"
#include "op/kernel_registry.h"
#include "op/op_registry.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace testing {

/// The handle of a new queue of int32 scalars, unless `attrs` say otherwise.
inline Tensor fifo_queue(int64_t capacity = -1, std::vector<AttrMap::Item> attrs = {}) {
  OpRunner op("FIFOQueueV2");
  op.named("q").attr("capacity", capacity);
  op.attr("component_types", std::vector<DType>{DType::kInt32});
  op.attr("shapes", std::vector<PartialShape>{PartialShape::scalar()});
  for (AttrMap::Item& attr : attrs) op.attr(attr.first, std::move(attr.second));
  auto made = op.run();
  TINYTF_CHECK(made.ok());
  return made.value()[0];
}

/// One execution of a queue op in a step of its own. Thread-safe after construction; if started, it must be done before
/// it is destroyed.
class QueueOp {
 public:
  QueueOp(const std::string& op, Tensor handle, std::vector<Tensor> inputs = {},
          std::vector<AttrMap::Item> attrs = {}) {
    node_.name = "node";
    node_.op = OpRegistry::global().find(op);
    TINYTF_CHECK(node_.op != nullptr);
    for (AttrMap::Item& attr : attrs) node_.attrs.set(attr.first, std::move(attr.second));
    const int components = static_cast<int>(inputs.size());
    add_input(std::move(handle));
    for (Tensor& input : inputs) add_input(std::move(input));
    const bool enqueues = op.rfind("QueueEnqueue", 0) == 0;
    TINYTF_CHECK(complete_node(node_, enqueues ? std::vector<int>{1, components} : std::vector<int>()).ok());
    outputs_.resize(node_.outputs.size());
    auto kernel = KernelRegistry::global().create(node_);
    TINYTF_CHECK(kernel.ok());
    kernel_ = kernel.take();
    step_.allocator = &Allocator::process();
    step_.cancellation = cancellation.get();
    context_ = std::make_unique<KernelContext>(node_, step_, slots_.data(), positions_.data(), outputs_.data(), 0);
  }

  /// Sets the allocator; to be called before the start.
  QueueOp& allocate_from(Allocator& allocator) {
    step_.allocator = &allocator;
    return *this;
  }
  QueueOp& start() {
    static_cast<AsyncKernel&>(*kernel_).compute_async(*context_, [this](Status status) {
      std::lock_guard lock(mutex_);
      status_ = std::move(status);
      ++calls_;
      changed_.notify_all();
    });
    return *this;
  }
  /// The number of calls of `done`.
  int calls() const {
    std::lock_guard lock(mutex_);
    return calls_;
  }
  bool done() const { return calls() > 0; }
  /// Waits until it is done.
  Status wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return calls_ > 0; });
    return status_;
  }
  /// The message of the final status; must be done.
  std::string message() const {
    std::lock_guard lock(mutex_);
    TINYTF_CHECK(calls_ > 0);
    return status_.message();
  }
  const Tensor& output(int i = 0) const { return outputs_[i].tensor; }
  /// Releases the handle.
  void drop_inputs() { slots_.assign(slots_.size(), Slot()); }

  std::unique_ptr<Cancellation> cancellation = std::make_unique<Cancellation>();

 private:
  void add_input(Tensor value) {
    node_.inputs.push_back({value.dtype(), false});
    positions_.push_back(static_cast<int32_t>(slots_.size()));
    slots_.emplace_back();
    slots_.back().tensor = std::move(value);
  }

  NodeInfo node_;
  std::vector<Slot> slots_;
  std::vector<int32_t> positions_;
  std::vector<Slot> outputs_;
  std::unique_ptr<Kernel> kernel_;
  KernelServices step_;
  std::unique_ptr<KernelContext> context_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
  Status status_;
};

/// Queue ops on queues of int32 scalars, not started.
inline std::unique_ptr<QueueOp> enqueue(const Tensor& handle, int32_t value) {
  return std::make_unique<QueueOp>("QueueEnqueueV2", handle, std::vector<Tensor>{Tensor::scalar(value)});
}
inline std::unique_ptr<QueueOp> enqueue_many(const Tensor& handle, const std::vector<int32_t>& values) {
  const Shape shape({static_cast<int64_t>(values.size())});
  return std::make_unique<QueueOp>("QueueEnqueueManyV2", handle, std::vector<Tensor>{tensor<int32_t>(shape, values)});
}
inline std::vector<AttrMap::Item> one_int32() { return {{"component_types", std::vector<DType>{DType::kInt32}}}; }
inline std::unique_ptr<QueueOp> dequeue(const Tensor& handle) {
  return std::make_unique<QueueOp>("QueueDequeueV2", handle, std::vector<Tensor>{}, one_int32());
}
inline std::unique_ptr<QueueOp> dequeue_many(const Tensor& handle, int32_t n) {
  return std::make_unique<QueueOp>("QueueDequeueManyV2", handle, std::vector<Tensor>{Tensor::scalar(n)}, one_int32());
}
inline std::unique_ptr<QueueOp> dequeue_up_to(const Tensor& handle, int32_t n) {
  return std::make_unique<QueueOp>("QueueDequeueUpToV2", handle, std::vector<Tensor>{Tensor::scalar(n)}, one_int32());
}
inline std::unique_ptr<QueueOp> close(const Tensor& handle, bool cancel_pending_enqueues = false) {
  return std::make_unique<QueueOp>("QueueCloseV2", handle, std::vector<Tensor>{},
                                   std::vector<AttrMap::Item>{{"cancel_pending_enqueues", cancel_pending_enqueues}});
}
inline int32_t size(const Tensor& handle) {
  auto result = OpRunner("QueueSizeV2").input(handle).run();
  TINYTF_CHECK(result.ok());
  return *result.value()[0].data<int32_t>();
}
inline bool is_closed(const Tensor& handle) {
  auto result = OpRunner("QueueIsClosedV2").input(handle).run();
  TINYTF_CHECK(result.ok());
  return *result.value()[0].data<bool>();
}

}  // namespace testing
}  // namespace tinytf
