#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include "runtime/eager/eager_kernel.h"
#include "runtime/step/step_watch.h"
#include "services/resource_manager.h"
#include "services/thread_pool.h"
#include "session/session_core.h"

namespace tinytf {

/// The values that one operation takes and yields: inputs first. On the stack for most operations.
class EagerCall {
 public:
  explicit EagerCall(const EagerKernel& kernel) : kernel_(kernel), count_(kernel.num_inputs() + kernel.num_outputs()) {
    if (count_ > kInline) {
      more_ = std::make_unique<Slot[]>(count_);
      slots_ = more_.get();
    } else {
      slots_ = reinterpret_cast<Slot*>(inline_);
      for (int i = 0; i < count_; ++i) new (slots_ + i) Slot();
    }
  }
  ~EagerCall() {
    if (!more_) std::destroy_n(slots_, count_);
  }
  EagerCall(const EagerCall&) = delete;
  EagerCall& operator=(const EagerCall&) = delete;
  Tensor& input(int i) { return slots_[i].tensor; }
  Tensor& output(int i) { return slots_[kernel_.num_inputs() + i].tensor; }
  Slot* slots() { return slots_; }

 private:
  static constexpr int kInline = 6;
  const EagerKernel& kernel_;
  const int count_;
  Slot* slots_;
  std::unique_ptr<Slot[]> more_;
  alignas(Slot) std::byte inline_[kInline * sizeof(Slot)];  // those of them that are in use are made
};

/// What an operation does with an input that is on another device than its own.
enum class DevicePolicy : uint8_t { kExplicit, kWarn, kSilent, kSilentForInt32 };

struct EagerOptions {
  int intra_op_threads = 0;  ///< of one kernel; 0: as many as the process's pool has
  int cpu_devices = 1;
  bool asynchronous = false;
  bool log_device_placement = false;
  bool allow_soft_placement = false;
  DevicePolicy device_policy = DevicePolicy::kSilent;
  int64_t gc_pressure_bytes = 0;  ///< of live values, above which garbage should be collected; 0: never
  bool track_sites = false;       ///< values remember what made them, and where
};

/// What operations of one eager session run with, beside its core: resources (variables, queues), threads. Goes when
/// the session is closed. Thread-safe.
class EagerContext final : public SessionParts {
 public:
  EagerContext(RefPtr<Allocator> allocator, EagerOptions options);

  /// Runs the kernel on the calling thread. Errors lack the operation's name. `interrupt` (may be null) is polled by
  /// those that wait and in long loops.
  Status run(EagerKernel& kernel, EagerCall& call, Interrupt* interrupt);
  /// Where the session's memory is limited: has it count what the value takes, in a copy of its own if the memory is
  /// somebody else's. ResourceExhausted; then the value is gone.
  Status take_over(Tensor& value);
  /// Ends operations that wait, now and later.
  void cancel() override { cancellation_.cancel(); }

  const EagerOptions& options() const { return options_; }
  /// After an operation that yielded so many bytes, under gc_pressure_bytes: whether to see how many live. Now and
  /// then.
  bool is_look_due(int64_t made_bytes) {
    const int64_t mark = options_.gc_pressure_bytes;
    if (made_.fetch_add(made_bytes + mark / 1024 + 1, std::memory_order_relaxed) < mark / 8) return false;
    made_.store(0, std::memory_order_relaxed);
    return true;
  }
  /// Bytes that lived after garbage was collected last: the program's own.
  std::atomic<int64_t>& kept_bytes() { return kept_bytes_; }
  /// Whether where values are is nobody's business: there is one device.
  bool is_plain() const { return options_.cpu_devices == 1 && !options_.log_device_placement; }
  const std::shared_ptr<ResourceManager>& resources() const { return resources_; }
  Parallel& parallel() { return parallel_; }

 private:
  /// Ends loops of operations whose program does not wait for them.
  class ClosedWatch final : public LoopWatch {
   public:
    explicit ClosedWatch(const Cancellation& cancellation) : cancellation_(cancellation) {}
    bool is_over() override { return cancellation_.cancelled(); }

   private:
    const Cancellation& cancellation_;
  };

  ~EagerContext() override;
  Status take_over_outputs(const EagerKernel& kernel, EagerCall& call);
  Status run_at_once(EagerKernel& kernel, EagerCall& call, StepServices& services, Interrupt* interrupt);
  Status run_waiting(EagerKernel& kernel, KernelContext& ctx, Cancellation& cancellation, Interrupt* interrupt);

  const RefPtr<Allocator> allocator_;
  const EagerOptions options_;
  PoolParallel parallel_;  // runs loops to their ends
  const std::shared_ptr<ResourceManager> resources_;
  ResourceManager step_resources_;
  Cancellation cancellation_;
  ClosedWatch closed_watch_{cancellation_};
  std::atomic<int64_t> made_{0};  // bytes since the last look
  std::atomic<int64_t> kept_bytes_{0};
};

}  // namespace tinytf
