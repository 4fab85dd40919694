#include "runtime/step/scheduler.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "runtime/step/code_interpreter.h"
#include "runtime/step/cut_nodes.h"
#include "runtime/step/interpreter.h"
#include "runtime/step/run_node.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

/// Units that can run, first in first out, of one thread. A unit is in one list at a time, so that what comes after it
/// has a place in the step's memory: `next`, by unit.
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

/// One step on several threads, with kernels that wait. Each worker runs units from a list of its own: a unit that
/// becomes ready joins the list of the worker that made it ready, unless it is expensive and that worker has other
/// work; then it is published, for whoever has none: a worker, the calling thread, or another one of the pool. A
/// waiting kernel holds no thread: when it ends, the calling thread goes on with its consumers if that thread has
/// nothing else to do or the pool takes no more, else one of the pool. A kernel that may block does hold its thread:
/// what else was on that worker's list is published before. No locks but for what is published, what waits, the first
/// error and the end; pending inputs and remaining readers are atomic counts.
class Scheduler {
 public:
  Scheduler(const ScheduledStep& step, StepThreads threads, StepWatch& watch, MeasuredStep* measured)
      : plan_(step.plan),
        program_(step.plan.program()),
        profile_(step.plan.profile()),
        memory_(step.memory),
        loan_(step.loan),
        counts_(step.counts),
        uses_(step.uses),
        slots_(step.memory.slots.data()),
        threads_(threads),
        watch_(watch),
        measured_(measured != nullptr && measured->is_measured() ? measured : nullptr),
        links_(step.counts.links()),
        published_(links_) {}

  /// Throws nothing: threads of the pool would go on with what is no more.
  Status run(const std::vector<int32_t>& roots) {
    // Of the roots, expensive ones beyond the first go to other threads.
    ReadyList own(links_);
    for (int32_t root : roots) share_out(root, own);
    work(own, /*is_caller=*/true);
    return is_shared() ? wait() : outcome();
  }

 private:
  static constexpr int32_t kHandOverNs = 8'000;

  /// A kernel that waits, or that might. Counts as a worker until its consumers have been seen to.
  struct Waiting {
    enum State { kStarting, kStarted, kEnded };
    Waiting(Scheduler& scheduler, int32_t unit, const PlanNode& node, uint64_t last_use, Iterations iterations)
        : scheduler(scheduler),
          unit(unit),
          run(scheduler.program_, node, scheduler.loan_, scheduler.slots_, last_use, std::move(iterations)) {}
    Scheduler& scheduler;
    const int32_t unit;
    CodePlace place;  // of a unit of code: where it goes on
    NodeRun run;
    std::atomic<int> state{kStarting};
    Status status;
    Waiting* next = nullptr;  // in ended_
  };

  bool is_expensive(int32_t unit) const {
    return profile_.use_threads.load(std::memory_order_relaxed) &&
           profile_.unit_ns[unit].load(std::memory_order_relaxed) >= kHandOverNs;
  }
  int64_t tail_ns(int32_t unit) const { return profile_.tail_ns[unit].load(std::memory_order_relaxed); }

  bool has_other_threads() const { return threads_.pool != nullptr && threads_.limit > 1; }

  /// To whoever has nothing to do, if the unit is worth another thread and the own list is not empty; else to that.
  void share_out(int32_t unit, ReadyList& own) {
    if (own.empty() || !has_other_threads() || !is_expensive(unit)) return own.push(unit);
    publish(unit);
  }

  bool is_shared() const { return is_shared_.load(std::memory_order_relaxed); }
  /// Before others can come to know of this step. Who sees that they do not need not lock.
  void share() { is_shared_.store(true, std::memory_order_relaxed); }

  void publish(int32_t unit) {
    share();
    {
      std::lock_guard lock(mutex_);
      published_.push(unit);
      if (!has_room()) return;  // one of those at work will come to it
      if (std::exchange(caller_sleeps_, false)) return changed_.notify_all();
      ++workers_;
    }
    threads_.pool->schedule([this] {
      ReadyList none(links_);
      work(none, false);
    });
  }

  /// Runs units of the list and then published ones until there are none. The last thing that a worker does with this
  /// object is to leave.
  void work(ReadyList& ready, bool is_caller) {
    const ScratchScope scratch(loan_.allocator);
    while (!ready.empty() || take_published(ready)) {
      const int32_t unit = ready.pop();
      if (stopped_.load(std::memory_order_relaxed)) {
        leave_out();
        continue;
      }
      if (loan_.cancellation->cancelled()) {
        fail(step_cancelled());
        continue;
      }
      run(unit, ready, is_caller);
      if (!is_caller) continue;
      Status seen = watch_.look();
      if (!seen.ok()) give_up(std::move(seen));
    }
  }

  /// Whether the step may have another worker. With the lock held.
  bool has_room() const { return workers_ - waiting_ < threads_.limit; }

  /// A worker that finds nothing has left.
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
    if (unit.may_block && has_other_threads()) {
      while (!ready.empty()) publish(ready.pop());
    }
    if (unit.is_code) {
      CodePlace place{unit.code_begin, nullptr};
      if (!go_on(number, place, is_caller)) return;
    } else if (unit.begin < unit.end) {
      const PlanNode& node = program_.nodes[unit.begin];
      if (node.kernel->is_async()) {
        Waiting* const waiting = start(number, node, uses_.sole_reads(unit), {}, CodePlace());
        if (waiting == nullptr || !end(waiting)) return;
      } else {
        Status status = run_node(program_, node, loan_, slots_, uses_.sole_reads(unit));
        if (!status.ok()) return fail(std::move(status));
      }
    }
    if (measured_ != nullptr) measured_->note(static_cast<size_t>(number), begin);
    conclude(number, ready);
  }

  /// Code of a unit from a place on. Whether it came to its end: else a kernel waits, or the step has failed.
  bool go_on(int32_t number, CodePlace& place, bool is_caller) {
    const bool watchful = watch_.has_deadline() || profile_.is_long.load(std::memory_order_relaxed);
    CodeInterpreter code(plan_, loan_, memory_, number, is_caller ? &watch_ : nullptr, watchful);
    for (;;) {
      Iterations iterations;
      Status status = guarded([&] {
        TINYTF_RETURN_IF_ERROR(code.run(place, program_.units[number].code_end));
        if (place.waiting != nullptr) iterations = code.iterations(place);
        return Status();
      });
      if (!status.ok()) {
        fail(std::move(status));
        return false;
      }
      if (place.waiting == nullptr) return true;
      const PlanNode& node = *place.waiting;
      Waiting* const waiting = start(number, node, code.last_use(node), std::move(iterations), place);
      if (waiting == nullptr || !end(waiting)) return false;
    }
  }

  /// After a unit has run.
  void conclude(int32_t unit, ReadyList& ready) {
    uses_.release(program_.units[unit]);
    // Of expensive units that become ready together, the one that most waits for comes first: it is this thread's.
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

  /// Starts a kernel. What it returns has ended in place; null if others go on with it, or the step has failed.
  Waiting* start(int32_t unit, const PlanNode& node, uint64_t last_use, Iterations iterations, const CodePlace& place) {
    auto* waiting = new (std::nothrow) Waiting(*this, unit, node, last_use, std::move(iterations));
    if (waiting == nullptr) {
      fail(status_of(std::bad_alloc()));
      return nullptr;
    }
    waiting->place = place;
    Status status = guarded([waiting] { return waiting->run.begin(); });
    if (!status.ok()) {
      fail(in_iterations(std::move(status), waiting->run.iterations()));
      delete waiting;
      return nullptr;
    }
    status = start_guarded(static_cast<AsyncKernel&>(*node.kernel), waiting->run.context(),
                           [waiting](Status ended) { waiting->scheduler.ended(waiting, std::move(ended)); });
    if (!status.ok()) ended(waiting, std::move(status));
    // Mostly the kernel has ended in place, and nobody needs to know that it might have waited.
    if (waiting->state.load(std::memory_order_acquire) == Waiting::kEnded) return waiting;
    share();
    {
      std::lock_guard lock(mutex_);
      ++workers_;
      ++waiting_;
    }
    // Whoever comes second, this thread or the kernel's, goes on.
    if (waiting->state.exchange(Waiting::kStarted, std::memory_order_acq_rel) != Waiting::kEnded) return nullptr;
    std::lock_guard lock(mutex_);
    --workers_;  // not the last: this thread is one
    --waiting_;
    return waiting;
  }

  /// Called once by the kernel, on any thread, maybe while it is being cancelled under locks of others: runs no nodes.
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

  /// With the lock held.
  void leave_to_caller(Waiting* waiting) {
    waiting->next = ended_;
    ended_ = waiting;
    changed_.notify_all();
  }

  /// Goes on behind a kernel that has ended elsewhere.
  void finish(Waiting* waiting, ReadyList& ready, bool is_caller) {
    {
      std::lock_guard lock(mutex_);
      --waiting_;
    }
    const int32_t unit = waiting->unit;
    CodePlace place = waiting->place;
    if (!end(waiting)) return;
    if (place.waiting != nullptr && !go_on(unit, place, is_caller)) return;
    conclude(unit, ready);
  }

  /// What the kernel yields becomes the step's, and the record goes. Whether there was no error.
  bool end(Waiting* waiting) {
    Status status = guarded([waiting] { return waiting->run.end(std::move(waiting->status)); });
    const bool is_ok = status.ok();
    if (!is_ok) {
      note_cut(waiting->run.node());
      fail(in_iterations(std::move(status), waiting->run.iterations()));
    }
    delete waiting;
    return is_ok;
  }

  // -- The end --------------------------------------------------------------------------------------------------------

  /// The calling thread, after its own nodes: goes on with what ended meanwhile, until every worker has left.
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
      const auto due = watch_.next_look();
      const auto stirred = [&] { return ended_ != nullptr || workers_ == 0 || may_take(); };
      bool has_stirred = true;
      {
        std::optional<ForkGate::Outside> at_rest;  // while kernels wait and nobody works for this step
        if (workers_ == waiting_) at_rest.emplace();
        if (due == StepWatch::Clock::time_point::max()) {
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
      Status seen = watch_.look();
      if (!seen.ok()) give_up(std::move(seen));
      lock.lock();
    }
    return outcome();
  }

  /// When nobody works for the step any more.
  Status outcome() const {
    // What the last nodes did while the time ran out must not be lost: an element that they took from a queue.
    if (complete_ && error_.code() == Code::kDeadlineExceeded) return Status();
    // A loop that noticed the end of the time only said that the step was cancelled.
    if (error_.code() == Code::kCancelled && !watch_.ended().ok()) return cut_.told(watch_.ended());
    if (error_.code() == Code::kDeadlineExceeded && !watch_.ended().ok()) return cut_.told(error_);
    return error_.ok() && loan_.cancellation->cancelled() ? step_cancelled() : error_;
  }

  void leave_out() {
    std::lock_guard lock(mutex_);
    complete_ = false;
  }

  /// A kernel that waited has failed: it is one of those that the end of the time has cut, if that was before.
  void note_cut(const PlanNode& node) {
    std::lock_guard lock(mutex_);
    if (error_.code() == Code::kDeadlineExceeded) cut_.note(node.info->name);
  }

  /// For a node that did not do its work.
  void fail(Status status) {
    leave_out();
    give_up(std::move(status));
  }

  /// Keeps the first error and tells all who work or wait for this step.
  void give_up(Status status) {
    {
      std::lock_guard lock(mutex_);
      if (!error_.ok()) return;
      error_ = std::move(status);
    }
    stopped_ = true;
    loan_.cancellation->cancel();
  }

  Plan& plan_;
  const Program& program_;
  const PlanProfile& profile_;
  StepSlots& memory_;
  const StepLoan& loan_;
  UnitCounts& counts_;
  SlotUses& uses_;
  Slot* const slots_;
  const StepThreads threads_;
  StepWatch& watch_;
  MeasuredStep* const measured_;  // null: nothing is
  int32_t* const links_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> is_shared_{false};  // other threads work for this step, or kernels wait, or did
  std::mutex mutex_;                    // of what follows
  std::condition_variable changed_;
  ReadyList published_;         // expensive units that nobody has begun
  int workers_ = 1;             // threads at work and kernels that wait
  int waiting_ = 0;             // of them, kernels that wait
  bool caller_sleeps_ = false;  // then what ends is for it
  Waiting* ended_ = nullptr;    // for the calling thread
  Status error_;
  CutNodes cut_;          // for the message of an error that is the end of the time
  bool complete_ = true;  // no node failed or was left out
};

}  // namespace

Status run_scheduled(const ScheduledStep& step, const std::vector<int32_t>& roots, StepThreads threads,
                     StepWatch& watch, MeasuredStep* measured) {
  return Scheduler(step, threads, watch, measured).run(roots);
}

}  // namespace tinytf
