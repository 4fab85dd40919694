#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "runtime/executor.h"

namespace tinytf {

namespace {

/// One step on several threads. Each worker runs nodes from a list of its own: a node that becomes ready joins the list
/// of the worker that made it ready, unless it is expensive and that worker has other work; then it goes to the pool.
/// No locks but for the end and the first error; pending inputs and remaining readers are atomic counts.
class ThreadedStep {
 public:
  ThreadedStep(Plan& plan, const StepServices& services, StepSlots& memory, ThreadPool& pool)
      : plan_(plan), services_(services), memory_(memory), slots_(memory.slots.data()), pool_(pool) {
    const size_t nodes = plan.nodes.size();
    const size_t slots = plan.slot_uses.size();
    if (!memory.pending) {
      memory.pending = std::make_unique<std::atomic<int32_t>[]>(nodes);
      memory.uses_left = std::make_unique<std::atomic<int32_t>[]>(slots);
    }
    for (size_t n = 0; n < nodes; ++n) memory.pending[n].store(plan.nodes[n].pending, std::memory_order_relaxed);
    for (size_t s = 0; s < slots; ++s) memory.uses_left[s].store(plan.slot_uses[s], std::memory_order_relaxed);
  }

  Status run() {
    std::deque<int32_t> ready;
    for (size_t n = 0; n < plan_.nodes.size(); ++n) {
      if (plan_.nodes[n].pending == 0) ready.push_back(static_cast<int32_t>(n));
    }
    // Of the roots, expensive ones beyond the first go to other threads.
    std::deque<int32_t> own;
    for (int32_t n : ready) {
      if (!own.empty() && expensive(n)) {
        hand_over(n);
      } else {
        own.push_back(n);
      }
    }
    work(own);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return workers_ == 0; });
    return error_;
  }

 private:
  static constexpr int32_t kHandOverNs = 8'000;

  bool expensive(int32_t n) const { return plan_.profile.node_ns[n].load(std::memory_order_relaxed) >= kHandOverNs; }

  void hand_over(int32_t n) {
    {
      std::lock_guard lock(mutex_);
      ++workers_;
    }
    pool_.schedule([this, n] {
      std::deque<int32_t> own{n};
      work(own);
    });
  }

  /// Runs nodes until the list is empty. The last thing that a worker does with this object is to leave.
  void work(std::deque<int32_t>& ready) {
    while (!ready.empty()) {
      const int32_t n = ready.front();
      ready.pop_front();
      if (stopped_.load(std::memory_order_relaxed)) continue;
      if (services_.cancellation->cancelled()) {
        fail(Status(Code::kCancelled, "Run call was cancelled"));
        continue;
      }
      run(plan_.nodes[n], ready);
    }
    std::lock_guard lock(mutex_);
    if (--workers_ == 0) finished_.notify_all();
  }

  void run(const PlanNode& node, std::deque<int32_t>& ready) {
    Status status = run_node(plan_, node, services_, slots_, sole_reads(node));
    if (!status.ok()) {
      fail(std::move(status));
      return;
    }
    release(node);
    for (int32_t i = node.consumers_begin; i < node.consumers_end; ++i) {
      const int32_t consumer = plan_.consumers[i];
      // Release what this node wrote, acquire what the other inputs' nodes wrote.
      if (memory_.pending[consumer].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      if (!ready.empty() && expensive(consumer)) {
        hand_over(consumer);
      } else {
        ready.push_back(consumer);
      }
    }
  }

  /// Bit i: nobody but this node will read input i any more.
  uint64_t sole_reads(const PlanNode& node) const {
    uint64_t bits = 0;
    const int32_t inputs = static_cast<int32_t>(node.origin->inputs.size());
    if (inputs != node.reads_end - node.reads_begin) return 0;  // some value is read twice: it must stay whole
    for (int32_t i = 0; i < inputs && i < 64; ++i) {
      const int32_t slot = plan_.input_slots[node.first_input + i];
      if (memory_.uses_left[slot].load(std::memory_order_acquire) == 1) bits |= uint64_t{1} << i;
    }
    return bits;
  }

  void release(const PlanNode& node) {
    for (int32_t i = node.reads_begin; i < node.reads_end; ++i) {
      const int32_t slot = plan_.reads[i];
      if (plan_.slot_uses[slot] < 0) continue;
      if (memory_.uses_left[slot].fetch_sub(1, std::memory_order_acq_rel) == 1) slots_[slot].tensor = Tensor();
    }
    for (int output = 0; output < node.origin->num_outputs(); ++output) {
      const int32_t slot = node.first_output + output;
      if (plan_.slot_uses[slot] == 0) slots_[slot].tensor = Tensor();
    }
  }

  void fail(Status status) {
    std::lock_guard lock(mutex_);
    if (error_.ok()) error_ = std::move(status);
    stopped_ = true;
  }

  Plan& plan_;
  const StepServices& services_;
  StepSlots& memory_;
  Slot* slots_;
  ThreadPool& pool_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable finished_;
  int workers_ = 1;
  Status error_;
};

}  // namespace

Status run_threaded(Plan& plan, const StepServices& services, StepSlots& memory, ThreadPool& pool) {
  return ThreadedStep(plan, services, memory, pool).run();
}

}  // namespace tinytf
