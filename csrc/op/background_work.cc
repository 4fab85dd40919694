#include "op/background_work.h"

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "op/guarded.h"
#include "services/fork_gate.h"
#include "services/fork_renewal.h"
#include "services/thread_pool.h"

namespace tinytf {

namespace {

// Made at start-up, because work also ends in destructors, where memory may be exhausted. Copies share the text.
const Status kWorkCancelled(Code::kCancelled, "Background work was cancelled");
const Status kNoThread(Code::kResourceExhausted, "No thread could be started for background work");

}  // namespace

struct BackgroundWork::State {
  struct QueuedTask {
    int64_t id = 0;
    RefPtr<BackgroundHost> host;
    Task task;
    Done done;

    void end(const Status& status) {
      task = nullptr;
      (void)guarded([&] {
        done(status);
        return Status();
      });
      done = nullptr;
    }
  };

  /// A task that runs on this thread.
  class Running {
   public:
    explicit Running(const State& state) : state_(state), around_(innermost_) { innermost_ = this; }
    ~Running() { innermost_ = around_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    static bool is_any() { return innermost_ != nullptr; }
    static bool is_one_of(const State& state) {
      const Running* task = innermost_;
      while (task != nullptr && &task->state_ != &state) task = task->around_;
      return task != nullptr;
    }

   private:
    const State& state_;
    Running* const around_;
    static inline thread_local Running* innermost_ = nullptr;
  };

  void renew_if_forked() noexcept {
    renewal.run_if_due([this] {
      new (&mutex) std::mutex;
      new (&ended) std::condition_variable;
      new (&queued) std::list<QueuedTask>;  // The parent's tasks are leaked, as their owners may be half-written.
      (void)cancellation.release();         // Tasks of the parent may hold its lock.
      cancellation = std::make_unique<Cancellation>();
      running = 0;
    });
  }

  /// The next task; false if it was taken already.
  bool take(QueuedTask& task, Cancellation*& of_task, int& generation) {
    renew_if_forked();
    std::lock_guard lock(mutex);
    if (queued.empty()) return false;
    task = std::move(queued.front());
    queued.pop_front();
    ++running;
    of_task = cancellation.get();
    generation = ForkGate::generation();
    return true;
  }

  /// Runs the next task; false if there is none.
  bool run_one() {
    const ForkGate::Pass pass;
    QueuedTask task;
    Cancellation* of_task = nullptr;
    int generation = 0;
    if (!take(task, of_task, generation)) return false;
    const Running here(*this);
    bool has_ended = false;
    const auto end = [&](const Status& status) {
      has_ended = true;
      task.end(status);
      if (generation != ForkGate::generation()) return;  // The task forked: this is the child, which does not count it.
      std::lock_guard lock(mutex);
      --running;
      ended.notify_all();
    };
    const Status status = guarded([&] {
      const bool is_open =
          task.host->run(*of_task, [&](const KernelServices& step) { end(guarded([&] { return task.task(step); })); });
      return is_open ? Status() : kWorkCancelled;
    });
    if (!has_ended) end(status);
    return true;
  }

  void cancel() {
    renew_if_forked();
    std::list<QueuedTask> dropped;
    {
      std::lock_guard lock(mutex);
      cancelled = true;
      dropped.swap(queued);
    }
    cancellation->cancel();
    for (QueuedTask& task : dropped) task.end(kWorkCancelled);
  }

  std::mutex mutex;  // Guards the members below. Held briefly, and together with no other lock.
  std::condition_variable ended;
  std::list<QueuedTask> queued;
  int64_t last_id = 0;
  int running = 0;
  bool cancelled = false;
  std::unique_ptr<Cancellation> cancellation = std::make_unique<Cancellation>();
  ForkRenewal renewal;
};

/// All work of the process.
struct BackgroundWork::All {
  std::mutex mutex;  // Held briefly, and together with no other lock.
  std::map<const State*, std::weak_ptr<State>> states;
  bool has_ended = false;
};

BackgroundWork::All* const BackgroundWork::all_ = new All;

BackgroundWork::BackgroundWork() : state_(std::make_shared<State>()) {
  const ForkGate::Pass pass;
  std::lock_guard lock(all_->mutex);
  all_->states.emplace(state_.get(), state_);
  state_->cancelled = all_->has_ended;
}

BackgroundWork::~BackgroundWork() {
  const ForkGate::Pass pass;
  {
    std::lock_guard lock(all_->mutex);
    all_->states.erase(state_.get());
  }
  cancel();
}

void BackgroundWork::cancel_all_at_exit() {
  std::vector<std::shared_ptr<State>> states;
  {
    std::lock_guard lock(all_->mutex);
    all_->has_ended = true;
    for (const auto& [key, state] : all_->states) {
      if (auto live = state.lock()) states.push_back(std::move(live));
    }
  }
  for (const auto& state : states) state->cancel();
}

Status BackgroundWork::start(BackgroundHost& host, Task task, Done done) noexcept {
  const ForkGate::Pass pass;
  return guarded([&]() -> Status {
    state_->renew_if_forked();
    std::list<State::QueuedTask> one;  // Destroyed after the lock is released.
    one.push_back({0, RefPtr<BackgroundHost>::share(&host), std::move(task), std::move(done)});
    int64_t id = 0;
    {
      std::lock_guard lock(state_->mutex);
      if (state_->cancelled) return kWorkCancelled;
      id = one.front().id = ++state_->last_id;
      state_->queued.splice(state_->queued.end(), one);
    }
    const Status scheduled = guarded([&] {
      const bool is_queued = ThreadPool::process().enqueue([state = state_] { (void)state->run_one(); });
      return is_queued ? Status() : kNoThread;
    });
    if (scheduled.ok()) return scheduled;
    std::lock_guard lock(state_->mutex);
    for (auto queued = state_->queued.begin(); queued != state_->queued.end(); ++queued) {
      if (queued->id != id) continue;
      one.splice(one.end(), state_->queued, queued);
      return scheduled;
    }
    return Status();  // Another thread has taken the task, or cancelled it.
  });
}

bool BackgroundWork::run_queued() { return state_->run_one(); }

bool BackgroundWork::runs_task() { return State::Running::is_any(); }

void BackgroundWork::cancel() { state_->cancel(); }

void BackgroundWork::stop() {
  cancel();
  if (State::Running::is_one_of(*state_)) return;
  const ForkGate::Outside outside;
  std::unique_lock lock(state_->mutex);
  state_->ended.wait(lock, [this] { return state_->running == 0; });
}

}  // namespace tinytf
