#include "runtime/step/scheduler.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "op/async_kernel.h"
#include "runtime/step/bytecode_interpreter.h"
#include "runtime/step/cut_nodes.h"
#include "runtime/step/dataflow_machine.h"
#include "runtime/step/interpreter.h"
#include "runtime/step/map_run.h"
#include "runtime/step/run_node.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

/// A FIFO list of ready units, used by one thread. A unit is in at most one list, so the links (`next`, by unit) are
/// stored in the step's memory.
class ReadyList {
 public:
  explicit ReadyList(int32_t* next) : next_(next) {}
  bool empty() const { return first_ < 0; }
  void push(int32_t unit) {
    next_[unit] = -1;
    (empty() ? first_ : next_[last_]) = unit;
    last_ = unit;
  }
  int32_t pop() {
    const int32_t unit = first_;
    first_ = next_[unit];
    return unit;
  }

 private:
  int32_t* const next_;
  int32_t first_ = -1, last_ = -1;
};

/// Runs one step on several threads, with asynchronous kernels.
///
/// Each worker runs units from its own list. A unit that becomes ready is added to the list of the worker that made it
/// ready. If it is expensive and that worker has other work, it is published instead, for an idle worker, the calling
/// thread, or another thread of the pool.
///
/// An asynchronous kernel occupies no thread while it waits. When it ends, the calling thread continues with its
/// consumers if it is idle or the pool accepts no more work, else a thread of the pool. A kernel that may block does
/// occupy its thread, so the rest of that worker's list is published first.
///
/// Locks protect only published units, waiting kernels, the first error and the end. Pending inputs and remaining
/// readers are atomic counts.
class Scheduler {
 public:
  Scheduler(const ScheduledStep& step, StepThreads threads, StepStopCheck& stop_check, MeasuredStep* measured)
      : plan_(step.plan),
        program_(step.plan.program()),
        profile_(step.plan.profile()),
        memory_(step.memory),
        services_(step.services),
        counts_(step.counts),
        uses_(step.uses),
        slots_(step.memory.slots.data()),
        threads_(threads),
        stop_check_(stop_check),
        measured_(measured != nullptr && measured->is_measured() ? measured : nullptr),
        links_(step.counts.links()),
        published_(links_) {}

  /// Does not throw: threads of the pool would continue to use the destroyed scheduler.
  Status run(const std::vector<int32_t>& roots) {
    // Expensive roots beyond the first are published.
    ReadyList own(links_);
    for (int32_t root : roots) share_out(root, own);
    work(own, /*is_caller=*/true);
    return is_shared() ? wait() : outcome();
  }

 private:
  static constexpr int32_t kHandOverNs = 8'000;

  /// A started asynchronous kernel, or a region with such. Once it has to wait, it counts as a worker until its
  /// consumers have been handled.
  struct Waiting {
    enum State { kStarting, kStarted, kEnded };
    Waiting(Scheduler& scheduler, int32_t unit, const BytecodePlace& place)
        : scheduler(scheduler), unit(unit), place(place) {}
    Scheduler& scheduler;
    const int32_t unit;
    const BytecodePlace place;  // For a unit of code: where it continues.
    // One of both.
    std::optional<NodeRun> run;
    std::optional<RegionRun> region;
    std::atomic<int> state{kStarting};
    Status status;
    Waiting* next = nullptr;  // In `ended_`.
  };

  bool is_expensive(int32_t unit) const {
    return profile_.use_threads.load(std::memory_order_relaxed) &&
           profile_.unit_ns[unit].load(std::memory_order_relaxed) >= kHandOverNs;
  }
  int64_t tail_ns(int32_t unit) const { return profile_.tail_ns[unit].load(std::memory_order_relaxed); }

  bool has_other_threads() const { return threads_.pool != nullptr && threads_.limit > 1; }

  /// Publishes the unit if it is worth another thread and the own list is not empty. Else appends it to the list.
  void share_out(int32_t unit, ReadyList& own) {
    if (own.empty() || !has_other_threads() || !is_expensive(unit)) return own.push(unit);
    publish(unit);
  }

  bool is_shared() const { return is_shared_.load(std::memory_order_relaxed); }
  /// To be called before other threads can learn of this step. While the step is not shared, no locks are needed.
  void share() { is_shared_.store(true, std::memory_order_relaxed); }

  void publish(int32_t unit) {
    share();
    {
      std::lock_guard lock(mutex_);
      published_.push(unit);
      if (!has_room()) return;  // An active worker will take it.
      if (std::exchange(caller_sleeps_, false)) return changed_.notify_all();
      ++workers_;
    }
    threads_.pool->schedule([this] {
      ReadyList none(links_);
      work(none, false);
    });
  }

  /// Runs the units of the list, then published ones, until there are none. The worker leaves in take_published and
  /// does not use this object afterwards.
  void work(ReadyList& ready, bool is_caller) {
    const ScratchScope scratch(services_.allocator);
    while (!ready.empty() || take_published(ready)) {
      const int32_t unit = ready.pop();
      if (stopped_.load(std::memory_order_relaxed)) {
        leave_out();
        continue;
      }
      if (services_.cancellation->cancelled()) {
        fail(step_cancelled());
        continue;
      }
      run(unit, ready, is_caller);
      if (!is_caller) continue;
      Status seen = stop_check_.look();
      if (!seen.ok()) give_up(std::move(seen));
    }
  }

  /// Whether the step may have another worker. The caller holds the lock.
  bool has_room() const { return workers_ - waiting_ < threads_.limit; }

  /// Takes a published unit. If there is none, the worker leaves and the result is false.
  bool take_published(ReadyList& ready) {
    if (!is_shared()) return false;
    std::lock_guard lock(mutex_);
    if (!published_.empty()) {
      ready.push(published_.pop());
      return true;
    }
    if (--workers_ == 0) changed_.notify_all();
    return false;
  }

  void run(int32_t number, ReadyList& ready, bool is_caller) {
    const Unit& unit = program_.units[number];
    const auto begin = measured_ != nullptr ? MeasuredStep::Clock::now() : MeasuredStep::Clock::time_point();
    if (unit.blocking > 0 && has_other_threads()) {
      while (!ready.empty()) publish(ready.pop());
    }
    if (unit.is_code) {
      BytecodePlace place;
      place.at = unit.code_begin;
      if (!go_on(number, place, is_caller)) return;
    } else if (unit.begin < unit.end) {
      const PlanNode& node = program_.nodes[unit.begin];
      if (node.kernel->is_async()) {
        Waiting* const waiting = start(number, node, uses_.sole_reads(unit), {}, BytecodePlace());
        if (waiting == nullptr || !end(waiting)) return;
      } else {
        Status status = run_node(program_, node, services_, slots_, uses_.sole_reads(unit));
        if (!status.ok()) return fail(std::move(status));
      }
    }
    if (measured_ != nullptr) measured_->note(static_cast<size_t>(number), begin);
    conclude(number, ready);
  }

  /// Runs a unit's code from a place on. Returns whether it reached the end; if not, a kernel waits or the step has
  /// failed.
  bool go_on(int32_t number, BytecodePlace& place, bool is_caller) {
    const bool watchful = stop_check_.has_deadline() || profile_.is_long.load(std::memory_order_relaxed);
    BytecodeInterpreter code(plan_, services_, memory_, number, is_caller ? &stop_check_ : nullptr, watchful, run_map);
    for (;;) {
      Iterations iterations;
      Status status = guarded([&] {
        TINYTF_RETURN_IF_ERROR(code.run(place, program_.units[number].code_end));
        if (place.has_to_wait()) iterations = code.iterations(place);
        return Status();
      });
      if (!status.ok()) {
        fail(std::move(status));
        return false;
      }
      if (!place.has_to_wait()) return true;
      Waiting* waiting = nullptr;
      if (place.region != nullptr) {
        waiting = start_region(number, std::move(iterations), place, is_caller);
      } else {
        waiting = start(number, *place.waiting, code.last_use(*place.waiting), std::move(iterations), place);
      }
      if (waiting == nullptr || !end(waiting)) return false;
    }
  }

  /// Handles the end of a unit: releases its inputs and schedules consumers that became ready.
  void conclude(int32_t unit, ReadyList& ready) {
    uses_.release(program_.units[unit]);
    // Of expensive consumers that became ready, this thread takes the one with the longest remaining path.
    ReadyList cheap(links_), expensive(links_);
    int32_t urgent = -1;
    for (int32_t i = program_.units[unit].consumers_begin; i < program_.units[unit].consumers_end; ++i) {
      int32_t consumer = program_.consumers[i];
      if (!counts_.arrive(consumer)) continue;
      if (!is_expensive(consumer)) {
        cheap.push(consumer);
        continue;
      }
      if (urgent >= 0) {
        if (tail_ns(consumer) > tail_ns(urgent)) std::swap(consumer, urgent);
        expensive.push(consumer);
      } else {
        urgent = consumer;
      }
    }
    if (urgent >= 0) share_out(urgent, ready);
    while (!expensive.empty()) share_out(expensive.pop(), ready);
    while (!cheap.empty()) ready.push(cheap.pop());
  }

  // -- Kernels that wait ----------------------------------------------------------------------------------------------

  /// Makes the record of what may have to wait; `fill` sets its run. Null if the step has failed.
  template <class Fill>
  Waiting* record(int32_t unit, const BytecodePlace& place, Fill fill) {
    auto* waiting = new (std::nothrow) Waiting(*this, unit, place);
    const Status status = waiting == nullptr ? status_of(std::bad_alloc()) : guarded([&] { return fill(*waiting); });
    if (status.ok()) return waiting;
    fail(status);
    delete waiting;
    return nullptr;
  }

  /// Starts an asynchronous kernel. Returns its record if it has ended already; null if the thread on which it ends
  /// continues, or if the step has failed.
  Waiting* start(int32_t unit, const PlanNode& node, uint64_t last_use, Iterations iterations,
                 const BytecodePlace& place) {
    Waiting* const waiting = record(unit, place, [&](Waiting& made) {
      made.run.emplace(program_, node, services_, slots_, last_use, std::move(iterations));
      Status status = made.run->begin();
      return status.ok() ? status : in_iterations(std::move(status), made.run->iterations());
    });
    if (waiting == nullptr) return nullptr;
    Status status = start_guarded(static_cast<AsyncKernel&>(*node.kernel), waiting->run->context(),
                                  [waiting](Status ended) { waiting->scheduler.ended(waiting, std::move(ended)); });
    if (!status.ok()) ended(waiting, std::move(status));
    return leaves(waiting) ? nullptr : waiting;
  }

  /// As start(), for a region with asynchronous kernels.
  Waiting* start_region(int32_t unit, Iterations iterations, const BytecodePlace& place, bool is_caller) {
    Waiting* const waiting = record(unit, place, [&](Waiting& made) {
      const auto stirred = [](void* stirred) {
        auto* const waiting = static_cast<Waiting*>(stirred);
        waiting->scheduler.ended(waiting, Status());
      };
      made.region.emplace(*place.region, services_, std::move(iterations), slots_, RegionRun::Stirred{stirred, &made});
      return Status();
    });
    return waiting != nullptr && go_on_region(waiting, is_caller) ? waiting : nullptr;
  }

  /// Returns whether the region has ended; else the thread on which one of its kernels ends continues.
  bool go_on_region(Waiting* waiting, bool is_caller) {
    for (;;) {
      waiting->state.store(Waiting::kStarting, std::memory_order_relaxed);
      if (waiting->region->go_on(is_caller ? &stop_check_ : nullptr)) return true;
      if (leaves(waiting)) return false;
    }
  }

  /// Whether the thread on which `waiting` ends continues. Else it has ended already.
  bool leaves(Waiting* waiting) {
    // Usually the kernel has ended already, and the step need not be shared.
    if (waiting->state.load(std::memory_order_acquire) == Waiting::kEnded) return false;
    share();
    {
      std::lock_guard lock(mutex_);
      ++workers_;
      ++waiting_;
    }
    // Of this thread and the kernel's, the second to get here continues.
    if (waiting->state.exchange(Waiting::kStarted, std::memory_order_acq_rel) != Waiting::kEnded) return true;
    std::lock_guard lock(mutex_);
    --workers_;  // Not the last one, as this thread is a worker.
    --waiting_;
    return false;
  }

  /// Called once by the kernel, or each time that the region may go on, on any thread, possibly during a cancellation
  /// under other locks. Therefore runs no nodes.
  void ended(Waiting* waiting, Status status) {
    waiting->status = std::move(status);
    if (waiting->state.exchange(Waiting::kEnded, std::memory_order_acq_rel) == Waiting::kStarting) return;
    {
      std::lock_guard lock(mutex_);
      if (caller_sleeps_ || threads_.pool == nullptr) return leave_to_caller(waiting);
    }
    const bool scheduled = threads_.pool->try_schedule([this, waiting] {
      ReadyList list(links_);
      finish(waiting, list, false);
      work(list, false);
    });
    if (scheduled) return;
    std::lock_guard lock(mutex_);
    leave_to_caller(waiting);
  }

  /// The caller holds the lock.
  void leave_to_caller(Waiting* waiting) {
    waiting->next = ended_;
    ended_ = waiting;
    changed_.notify_all();
  }

  /// Continues after an asynchronous kernel that ended later or on another thread, or with a region that may go on.
  void finish(Waiting* waiting, ReadyList& ready, bool is_caller) {
    {
      std::lock_guard lock(mutex_);
      --waiting_;
    }
    if (waiting->region && !go_on_region(waiting, is_caller)) return;
    const int32_t unit = waiting->unit;
    BytecodePlace place = waiting->place;
    if (!end(waiting)) return;
    if (place.has_to_wait() && !go_on(unit, place, is_caller)) return;
    conclude(unit, ready);
  }

  /// Handles the kernel's or the region's result and deletes the record. Returns whether it succeeded.
  bool end(Waiting* waiting) {
    Status status = guarded(
        [waiting] { return waiting->region ? waiting->region->end() : waiting->run->end(std::move(waiting->status)); });
    const bool is_ok = status.ok();
    if (!is_ok) {
      note_cut(*waiting);
      fail(waiting->region ? std::move(status) : in_iterations(std::move(status), waiting->run->iterations()));
    }
    delete waiting;
    return is_ok;
  }

  // -- The end --------------------------------------------------------------------------------------------------------

  /// Runs on the calling thread after its own units: continues after kernels that ended, until all workers have left.
  Status wait() {
    const auto may_take = [this] { return !published_.empty() && has_room(); };
    std::unique_lock lock(mutex_);
    while (ended_ != nullptr || workers_ > 0) {
      if (may_take()) {
        ++workers_;
        lock.unlock();
        ReadyList none(links_);
        work(none, /*is_caller=*/true);
        lock.lock();
        continue;
      }
      if (ended_ != nullptr) {
        Waiting* const waiting = ended_;
        ended_ = waiting->next;
        lock.unlock();
        ReadyList own(links_);
        finish(waiting, own, /*is_caller=*/true);
        work(own, /*is_caller=*/true);
        lock.lock();
        continue;
      }
      caller_sleeps_ = true;
      const auto due = stop_check_.next_look();
      const auto stirred = [&] { return ended_ != nullptr || workers_ == 0 || may_take(); };
      bool has_stirred = true;
      {
        std::optional<ForkGate::Outside> at_rest;  // While kernels wait and no thread works for this step.
        if (workers_ == waiting_) at_rest.emplace();
        if (due == StepStopCheck::Clock::time_point::max()) {
          changed_.wait(lock, stirred);
        } else {
          has_stirred = changed_.wait_until(lock, due, stirred);
        }
        caller_sleeps_ = false;
        lock.unlock();
      }
      if (has_stirred) {
        lock.lock();
        continue;
      }
      Status seen = stop_check_.look();
      if (!seen.ok()) give_up(std::move(seen));
      lock.lock();
    }
    return outcome();
  }

  /// The result of the step. No thread works for it any more.
  Status outcome() const {
    // If all nodes finished although the time was up, their effects must not be lost, such as an element taken from a
    // queue.
    if (complete_ && error_.code() == Code::kDeadlineExceeded) return Status();
    // A loop that ended because the time was up reports a cancellation.
    if (error_.code() == Code::kCancelled && !stop_check_.ended().ok()) return cut_.told(stop_check_.ended());
    if (error_.code() == Code::kDeadlineExceeded && !stop_check_.ended().ok()) return cut_.told(error_);
    return error_.ok() && services_.cancellation->cancelled() ? step_cancelled() : error_;
  }

  void leave_out() {
    std::lock_guard lock(mutex_);
    complete_ = false;
  }

  /// Records the waiting kernels that failed after the step had timed out.
  void note_cut(const Waiting& waiting) {
    std::lock_guard lock(mutex_);
    if (error_.code() != Code::kDeadlineExceeded) return;
    waiting.region ? cut_.add(waiting.region->cut()) : cut_.note(waiting.run->node().info->name);
  }

  /// To be called for a node that did not complete.
  void fail(Status status) {
    leave_out();
    give_up(std::move(status));
  }

  /// Keeps the first error, and stops all threads and kernels of this step.
  void give_up(Status status) {
    {
      std::lock_guard lock(mutex_);
      if (!error_.ok()) return;
      error_ = std::move(status);
    }
    stopped_ = true;
    services_.cancellation->cancel();
  }

  Plan& plan_;
  const Program& program_;
  const PlanProfile& profile_;
  StepSlots& memory_;
  const StepServices& services_;
  UnitCounts& counts_;
  SlotUses& uses_;
  Slot* const slots_;
  const StepThreads threads_;
  StepStopCheck& stop_check_;
  MeasuredStep* const measured_;  // Null if the step is not measured.
  int32_t* const links_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> is_shared_{false};  // Other threads or waiting kernels take part, or did.
  std::mutex mutex_;                    // Guards the following.
  std::condition_variable changed_;
  ReadyList published_;         // Expensive units that have not begun.
  int workers_ = 1;             // Threads at work and waiting kernels.
  int waiting_ = 0;             // Waiting kernels among them.
  bool caller_sleeps_ = false;  // Then ended kernels are left to it.
  Waiting* ended_ = nullptr;    // For the calling thread.
  Status error_;
  CutNodes cut_;          // For the message of a timeout.
  bool complete_ = true;  // No node failed or was skipped.
};

}  // namespace

Status run_scheduled(const ScheduledStep& step, const std::vector<int32_t>& roots, StepThreads threads,
                     StepStopCheck& stop_check, MeasuredStep* measured) {
  return Scheduler(step, threads, stop_check, measured).run(roots);
}

}  // namespace tinytf
