#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include "handles/session_core.h"
#include "op/background_work.h"
#include "runtime/eager/eager_kernel.h"
#include "runtime/step/stop_check.h"
#include "services/resource_manager.h"
#include "services/thread_pool.h"

namespace tinytf {

/// The slots of one operation: inputs, then outputs. Stored inline, and thus on the stack, for most operations.
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
  alignas(Slot) std::byte inline_[kInline * sizeof(Slot)];  // Only the slots in use are constructed.
};

/// How an operation handles an input on another device.
enum class DevicePolicy : uint8_t { kExplicit, kWarn, kSilent, kSilentForInt32 };

struct EagerOptions {
  int intra_op_threads = 0;  ///< Threads of one kernel; 0: all of the process's pool.
  int cpu_devices = 1;
  bool asynchronous = false;
  bool log_device_placement = false;
  bool allow_soft_placement = false;
  DevicePolicy device_policy = DevicePolicy::kSilent;
  int64_t gc_pressure_bytes = 0;  ///< Bytes of live values above which the host collects garbage; 0: never.
  bool track_sites = false;       ///< Values record the operation and program line that made them.
};

/// The environment of operations in one eager session, besides its core: resources (variables, queues), threads and the
/// state of functions. Destroyed when the session is closed. Thread-safe.
class EagerContext final : public SessionParts {
 public:
  /// Without a core: operations then start no background work.
  EagerContext(RefPtr<Allocator> allocator, EagerOptions options, RefPtr<BackgroundHost> background = nullptr);
  /// Makes the context of a session and attaches it to the core.
  static RefPtr<EagerContext> attach_to(SessionCore& core, EagerOptions options);

  /// Runs the kernel on the calling thread. Errors lack the operation's name. `interrupt` (may be null) is polled by
  /// waiting kernels and in long loops.
  Status run(EagerKernel& kernel, EagerCall& call, Interrupt* interrupt);
  /// If the session's memory is limited, charges the value to the session, after copying it if another allocator owns
  /// its memory. ResourceExhausted if it exceeds the limit; then `value` is invalid.
  Status take_over(Tensor& value);
  /// Ends waiting operations, current and future ones.
  void cancel() override { cancellation_.cancel(); }
  void cancel_background() override { of_background_.cancel(); }
  void stop_resources() override { resources_->stop_all(); }
  /// Calls `work` with the services of an operation of its own, which `cancellation` ends. The caller is inside the
  /// core.
  void run_background(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work);
  /// Is triggered by `cancel`.
  Cancellation& cancellation() { return cancellation_; }
  /// The status of a function that ended with `status`: Cancelled if it failed after `cancel`, since what it calls may
  /// fail in other ways then.
  Status ended(Status status) const;

  const EagerOptions& options() const { return options_; }
  /// Whether to check the number of live bytes, after an operation that made `made_bytes` of outputs. True from time to
  /// time. Only if gc_pressure_bytes is set.
  bool is_look_due(int64_t made_bytes) {
    const int64_t mark = options_.gc_pressure_bytes;
    if (made_.fetch_add(made_bytes + mark / 1024 + 1, std::memory_order_relaxed) < mark / 8) return false;
    made_.store(0, std::memory_order_relaxed);
    return true;
  }
  /// Bytes that were still live after the last garbage collection.
  std::atomic<int64_t>& kept_bytes() { return kept_bytes_; }
  /// Whether device placement needs no handling: there is one device, and placements are not logged.
  bool is_plain() const { return options_.cpu_devices == 1 && !options_.log_device_placement; }
  const std::shared_ptr<ResourceManager>& resources() const { return resources_; }
  const RefPtr<BackgroundHost>& background() const { return background_; }
  Parallel& parallel() { return parallel_; }

 private:
  /// Ends loops of operations for which the program does not wait, when the session is closed.
  class ClosedStopCheck final : public LoopStopCheck {
   public:
    explicit ClosedStopCheck(const Cancellation& cancellation) : cancellation_(cancellation) {}
    bool is_over() override { return cancellation_.cancelled(); }

   private:
    const Cancellation& cancellation_;
  };

  ~EagerContext() override;
  KernelServices services();
  Status take_over_outputs(const EagerKernel& kernel, EagerCall& call);
  Status run_at_once(EagerKernel& kernel, EagerCall& call, KernelServices& services, Interrupt* interrupt);
  Status run_waiting(EagerKernel& kernel, KernelContext& ctx, Cancellation& cancellation, Interrupt* interrupt);

  const RefPtr<Allocator> allocator_;
  const EagerOptions options_;
  PoolParallel parallel_;  // Does not cut loops short.
  const std::shared_ptr<ResourceManager> resources_;
  ResourceManager step_resources_;
  Cancellation cancellation_, of_background_;
  ClosedStopCheck closed_watch_{cancellation_};
  const uint64_t functions_ = FunctionRunner::new_id();  // Of the session's EagerFunctions.
  const RefPtr<BackgroundHost> background_;              // May be null.
  std::atomic<int64_t> made_{0};                         // Bytes since the last check.
  std::atomic<int64_t> kept_bytes_{0};
};

}  // namespace tinytf
