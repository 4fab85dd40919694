#include "data/iterator_server.h"

#include <atomic>
#include <chrono>
#include <new>
#include <utility>

#include "data/pipeline_end.h"
#include "op/guarded.h"

namespace tinytf::data {

namespace {

constexpr const char* kReady = "ready";
constexpr const char* kShared = "shared";

}  // namespace

Result<RefPtr<IteratorServer>> IteratorServer::of(const Dataset& dataset, const KernelServices& step) {
  auto tasks = make_ref<PipelineTasks>();
  tasks->set_host(step.background);
  auto server = RefPtr<IteratorServer>::adopt(new IteratorServer(tasks, RefPtr<const Dataset>::share(&dataset)));
  IteratorContext ctx{step, *tasks};
  TINYTF_ASSIGN_OR_RETURN(server->iterator_, make_last_iterator(ctx, dataset));
  return server;
}

void IteratorServer::get_with_tasks(PipelineTasks& tasks, Done done, FunctionRef<void(Done)> get) {
  if (!BackgroundWork::runs_task()) return get(std::move(done));
  const auto kept = RefPtr<PipelineTasks>::share(&tasks);
  const auto is_done = std::make_shared<std::atomic<bool>>(false);
  get([is_done, done = std::move(done)](Outcome outcome) {
    *is_done = true;
    done(std::move(outcome));
  });
  while (!*is_done && kept->work().run_queued()) continue;
}

std::optional<IteratorServer::Outcome> IteratorServer::next(const KernelServices& step, FunctionRef<Done()> make_done) {
  if (!BackgroundWork::runs_task()) return get(step, make_done);
  get_with_tasks(tasks(), make_done(), [&](Done then) {
    std::optional<Outcome> outcome = get(step, [&] { return then; });
    if (outcome) then(std::move(*outcome));
  });
  return std::nullopt;
}

std::optional<IteratorServer::Outcome> IteratorServer::get(const KernelServices& step, FunctionRef<Done()> make_done) {
  renew_if_forked();
  tasks().set_host(step.background);
  std::optional<Outcome> outcome;
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    waits = ended_.ok() && (is_pulling_ || !attempts_.empty());
    if (!waits) outcome = take_ready();
    if (!waits && !outcome) is_pulling_ = true;
  }
  if (outcome) return outcome;
  if (!waits) return serve(step, make_done);
  Done done = make_done();
  (void)wait_in_line(step, done, /*is_puller=*/false);
  return std::nullopt;
}

/// What is known without a pull. The caller holds the lock.
std::optional<IteratorServer::Outcome> IteratorServer::take_ready() {
  if (!ended_.ok()) return Outcome{ended_, {}};
  if (ready_.empty() && lost_.ok()) return std::nullopt;
  if (ready_.empty()) return Outcome{std::exchange(lost_, Status()), {}};
  Outcome outcome = std::move(ready_.front());
  ready_.pop_front();
  return outcome;
}

IteratorServer::Outcome IteratorServer::pull(PullContext& ctx) {
  Outcome outcome;
  const Status status = guarded([&] {
    const AtStage consumer(ctx, tasks().profile());
    outcome.pulled = iterator_->next(ctx, outcome.element);
    tell_tuner(tasks(), outcome.pulled);
    if (outcome.pulled.ok() && outcome.pulled.value() == Pulled::kEnd) outcome.early_end = tasks().early_end();
    return Status();
  });
  if (!status.ok()) outcome.pulled = status;
  return outcome;
}

/// Pulls on the step's thread, which has set is_pulling_.
std::optional<IteratorServer::Outcome> IteratorServer::serve(const KernelServices& step,
                                                             FunctionRef<Done()> make_done) {
  PullContext ctx{{step, tasks()}, *this};
  Done done;
  for (;;) {
    Outcome outcome = pull(ctx);
    if (!outcome.pulled.ok() || outcome.pulled.value() != Pulled::kPending) {
      release();
      return outcome;
    }
    bool is_over = false;
    const Status status = guarded([&] {
      if (!done) done = make_done();
      is_over = wait_in_line(step, done, /*is_puller=*/true);
      return Status();
    });
    if (is_over) return std::nullopt;
    if (status.ok()) continue;
    release();
    return Outcome{status, {}};
  }
}

void IteratorServer::release() {
  bool others_wait = false;
  {
    const std::lock_guard lock(mutex_);
    is_pulling_ = was_woken_ = false;
    others_wait = !attempts_.empty();
  }
  released_.notify_all();
  if (others_wait) wake();
}

/// Appends the step to the line, or puts the puller, whose pull is pending, at its head. Returns false, for a puller,
/// if it was woken meanwhile and has to pull again.
bool IteratorServer::wait_in_line(const KernelServices& step, Done& done, bool is_puller) {
  std::list<Attempt> attempt(1);  // Made first: nothing fails between the registration and the end of this function.
  int64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    ticket = ++last_ticket_;
  }
  Cancellation::Token token = 0;
  const bool is_registered = step.cancellation->on_cancel(&token, [this, ticket] { cancel(ticket); });
  bool pulls_again = false, waits = false, needs_task = false;
  Status status;
  {
    const std::lock_guard lock(mutex_);
    status = ended_;
    if (status.ok() && step.cancellation->cancelled()) status = iteration_cancelled();
    pulls_again = is_puller && std::exchange(was_woken_, false) && status.ok();
    waits = status.ok() && !pulls_again;
    if (is_puller && !pulls_again) is_pulling_ = false;
    const bool others_wait = !attempts_.empty();
    if (waits) {
      attempt.front() = {ticket, &step, std::move(done), token};
      attempts_.splice(is_puller ? attempts_.begin() : attempts_.end(), attempt);
    }
    // A pending iterator wakes the server for its puller, and the puller's end wakes it for others.
    needs_task = !is_pulling_ && (is_puller ? others_wait && !waits : waits && !others_wait);
  }
  if (is_puller && !pulls_again) released_.notify_all();
  if (needs_task) wake();
  if (waits) return true;
  if (is_registered) step.cancellation->remove_and_wait(token);
  if (pulls_again) return false;
  done({status, {}});
  return true;
}

void IteratorServer::cancel(int64_t ticket) {
  Done done;
  {
    const std::lock_guard lock(mutex_);
    for (auto attempt = attempts_.begin(); attempt != attempts_.end(); ++attempt) {
      if (attempt->ticket != ticket) continue;
      done = std::move(attempt->done);
      attempts_.erase(attempt);
      break;
    }
  }
  if (done) done({iteration_cancelled(), {}});
}

/// Serves the waiting steps until there are none, or until the iterator is pending.
void IteratorServer::work(PullContext& ctx) {
  while (ctx.check().ok()) {
    std::optional<Outcome> outcome;
    Attempt attempt;
    {
      const std::lock_guard lock(mutex_);
      if (is_pulling_) was_woken_ = true;
      if (is_pulling_ || attempts_.empty()) return;
      outcome = take_ready();
      is_pulling_ = !outcome;
      if (outcome) attempt = take_first();
    }
    if (!outcome) {
      outcome = pull(ctx);
      const bool has_step = hand_over(*outcome, attempt);
      released_.notify_all();
      if (!has_step) return;
    }
    attempt.step->cancellation->remove_and_wait(attempt.token);
    attempt.done(std::move(*outcome));
  }
}

/// The step that has waited longest. The caller holds the lock.
IteratorServer::Attempt IteratorServer::take_first() {
  Attempt attempt = std::move(attempts_.front());
  attempts_.pop_front();
  return attempt;
}

/// Ends the pull, and takes the step that gets its outcome. An outcome without one, because the step was cancelled
/// meanwhile, is kept before another thread can pull. False if there is no step to serve.
bool IteratorServer::hand_over(Outcome& outcome, Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  is_pulling_ = false;
  if (outcome.pulled.ok() && outcome.pulled.value() == Pulled::kPending) return false;
  if (!attempts_.empty()) {
    attempt = take_first();
    return true;
  }
  if (!outcome.pulled.ok() && outcome.pulled.status().code() == Code::kCancelled) return false;
  const Status kept = guarded([&] {
    ready_.push_back(std::move(outcome));
    return Status();
  });
  if (!kept.ok()) lost_ = kept;
  return false;
}

void IteratorServer::end(const Status& error) {
  std::list<Attempt> attempts;
  {
    const std::lock_guard lock(mutex_);
    if (is_pulling_) was_woken_ = true;  // A step whose pull is pending, and that is not in line yet, pulls again.
    attempts.swap(attempts_);
  }
  for (Attempt& attempt : attempts) {
    attempt.step->cancellation->remove_and_wait(attempt.token);
    attempt.done({error, {}});
  }
}

void IteratorServer::stop(bool waits) {
  renew_if_forked();
  {
    const std::lock_guard lock(mutex_);
    if (ended_.ok()) ended_ = iteration_cancelled();
  }
  tasks().work().cancel();
  end(iteration_cancelled());  // Before the wait, as the last task may take long.
  if (waits) tasks().work().stop();
}

void IteratorServer::renew(bool was_working) {
  new (&released_) std::condition_variable;
  new (&attempts_) std::list<Attempt>;  // Steps of the parent: leaked, as their threads may be inside.
  if (was_working || is_pulling_) {
    ended_ = interrupted_by_fork();
  }
  is_pulling_ = was_woken_ = false;
}

Status IteratorServer::use_alone(const KernelServices& step, FunctionRef<Status(IteratorContext&)> use) {
  renew_if_forked();
  tasks().set_host(step.background);
  IteratorContext ctx{step, tasks()};
  while (!begin_pulling()) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const ForkGate::Outside outside;
    std::unique_lock lock(mutex_);
    if (is_pulling_) released_.wait_for(lock, std::chrono::milliseconds(20));
  }
  const Status status = guarded([&] {
    TINYTF_RETURN_IF_ERROR(ended());
    return use(ctx);
  });
  release();
  return status;
}

bool IteratorServer::begin_pulling() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(is_pulling_, true);
}

Status IteratorServer::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

Status IteratorServer::save(const KernelServices& step, StateWriter& state) {
  return use_alone(step, [&](IteratorContext& ctx) {
    TINYTF_RETURN_IF_ERROR(save_ready(state));
    const Status status = guarded([&] {
      TINYTF_RETURN_IF_ERROR(iterator_->save(ctx, state));
      StateWriter shared = state.inside(kShared);  // Afterwards, because now no stage works.
      return tasks().save_shared(shared);
    });
    tasks().release_held();
    return status;
  });
}

Status IteratorServer::save_ready(StateWriter& state) const {
  std::deque<Outcome> outcomes;
  {
    const std::lock_guard lock(mutex_);
    outcomes = ready_;
  }
  StateWriter ready = state.inside(kReady);
  int64_t count = 0;
  for (const Outcome& outcome : outcomes) {
    const Status error = outcome.pulled.ok() ? Status() : outcome.pulled.status();
    if (error.ok() && outcome.pulled.value() != Pulled::kElement) continue;  // The next pull yields the end again.
    ready.put_status(str_cat("status_", count), error);
    if (error.ok()) TINYTF_RETURN_IF_ERROR(ready.put_element(str_cat(count), outcome.element));
    ++count;
  }
  ready.put_int("count", count);
  return Status();
}

Status IteratorServer::restore_ready(const StateReader& state) {
  const StateReader ready = state.inside(kReady);
  TINYTF_ASSIGN_OR_RETURN(const int64_t count, ready.get_int("count", 0, INT64_MAX));
  std::deque<Outcome> outcomes;
  for (int64_t i = 0; i < count; ++i) {  // Ends at the first element that the state lacks.
    Status error;
    TINYTF_RETURN_IF_ERROR(ready.get_status(str_cat("status_", i), error));
    Outcome outcome{Pulled::kElement, {}};
    if (!error.ok()) outcome.pulled = error;
    if (error.ok()) {
      TINYTF_ASSIGN_OR_RETURN(outcome.element, ready.get_element(str_cat(i), dataset_->spec()));
    }
    outcomes.push_back(std::move(outcome));
  }
  const std::lock_guard lock(mutex_);
  ready_.swap(outcomes);
  return Status();
}

Status IteratorServer::restore(const KernelServices& step, StateReader& state) {
  return use_alone(step, [&](IteratorContext& ctx) {
    TINYTF_RETURN_IF_ERROR(restore_ready(state));
    const StateReader shared = state.inside(kShared);
    TINYTF_RETURN_IF_ERROR(tasks().restore_shared(shared));
    TINYTF_RETURN_IF_ERROR(iterator_->restore(ctx, state));
    return tasks().restore_shared(shared);
  });
}

}  // namespace tinytf::data
