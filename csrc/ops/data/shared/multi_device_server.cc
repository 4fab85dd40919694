#include "ops/data/shared/multi_device_server.h"

#include <new>
#include <optional>

#include "data/pipeline_end.h"
#include "op/guarded.h"

namespace tinytf::ops {

namespace {

// Made at start-up, because pipelines also end in destructors, where memory may be exhausted. Copies share the text.
const Status kCancelled(Code::kCancelled, "Cancelled Multidevice iterator");

}  // namespace

Result<RefPtr<MultiDeviceServer>> MultiDeviceServer::of(const Dataset& dataset, const KernelServices& step,
                                                        size_t consumers, int64_t room) {
  auto tasks = make_ref<data::PipelineTasks>();
  tasks->set_host(step.background);
  auto server = RefPtr<MultiDeviceServer>::adopt(new MultiDeviceServer(tasks, consumers, room));
  IteratorContext ctx{step, *tasks};
  TINYTF_ASSIGN_OR_RETURN(server->iterator_, data::make_last_iterator(ctx, dataset));
  return server;
}

/// With the lock: whether the consumer whose turn it is can take an element.
bool MultiDeviceServer::has_room() const {
  const Consumer& next = consumers_[turn_];
  return ended_.ok() && !has_ended_ && (static_cast<int64_t>(next.ready.size()) < room_ || !next.attempts.empty());
}

void MultiDeviceServer::next(const KernelServices& step, size_t consumer, Done done) {
  renew_if_forked();
  tasks().set_host(step.background);
  data::IteratorServer::get_with_tasks(tasks(), std::move(done), [&](Done then) {
    if (answer(step, consumer, then)) wake();
  });
}

/// Answers a step, or lets it wait. Returns whether there is work to do.
bool MultiDeviceServer::answer(const KernelServices& step, size_t consumer, Done& done) {
  std::list<Attempt> attempt(1);  // Made first: nothing fails between the registration and the end of this function.
  int64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    ticket = ++last_ticket_;
  }
  Cancellation::Token token = 0;
  const bool is_registered =
      step.cancellation->on_cancel(&token, [this, consumer, ticket] { cancel(consumer, ticket); });
  std::optional<Outcome> outcome;
  bool has_room = false;
  {
    const std::lock_guard lock(mutex_);
    Consumer& own = consumers_[consumer];
    if (!ended_.ok() || step.cancellation->cancelled()) {
      outcome = Outcome{ended_.ok() ? kCancelled : ended_, {}};
    } else if (!own.ready.empty()) {
      outcome = std::move(own.ready.front());
      own.ready.pop_front();
    } else if (has_ended_) {
      outcome = Outcome{Pulled::kEnd, {}};
    } else {
      attempt.front() = {ticket, &step, std::move(done), token};
      own.attempts.splice(own.attempts.end(), attempt);
    }
    has_room = this->has_room();
  }
  if (outcome) {
    if (is_registered) step.cancellation->remove_and_wait(token);
    done(std::move(*outcome));
  }
  return has_room;
}

void MultiDeviceServer::cancel(size_t consumer, int64_t ticket) {
  Done done;
  {
    const std::lock_guard lock(mutex_);
    auto& attempts = consumers_[consumer].attempts;
    for (auto attempt = attempts.begin(); attempt != attempts.end(); ++attempt) {
      if (attempt->ticket != ticket) continue;
      done = std::move(attempt->done);
      attempts.erase(attempt);
      break;
    }
  }
  if (done) done({kCancelled, {}});
}

void MultiDeviceServer::work(PullContext& ctx) {
  while (!is_pausing() && ctx.check().ok()) {
    if (!pulled_ && !pull(ctx)) return;
    deal();
  }
}

/// Pulls for the consumer whose turn it is. Returns false if there is nothing to deal out.
bool MultiDeviceServer::pull(PullContext& ctx) {
  {
    const std::lock_guard lock(mutex_);
    if (!has_room()) return false;
  }
  Outcome outcome;
  const Status status = guarded([&] {
    outcome.pulled = iterator_->next(ctx, outcome.element);
    return Status();
  });
  if (!status.ok()) outcome.pulled = status;
  if (was_cut(ctx, outcome.pulled)) return false;
  data::tell_tuner(tasks(), outcome.pulled);
  if (outcome.pulled.ok() && outcome.pulled.value() == Pulled::kPending) return false;
  if (outcome.pulled.ok() && outcome.pulled.value() == Pulled::kEnd) {
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
    }
    end_all(outcome);
    return false;
  }
  pulled_ = std::move(outcome);
  return true;
}

/// Gives what was pulled to the consumer whose turn it is. Without memory for it, what was pulled is kept.
void MultiDeviceServer::deal() {
  Attempt attempt;
  {
    const std::lock_guard lock(mutex_);
    Consumer& next = consumers_[turn_];
    const bool is_awaited = !next.attempts.empty();
    if (!is_awaited) next.ready.push_back(std::move(*pulled_));
    turn_ = (turn_ + 1) % consumers_.size();
    if (is_awaited) {
      attempt = std::move(next.attempts.front());
      next.attempts.pop_front();
    }
  }
  Outcome outcome = std::move(*pulled_);
  pulled_.reset();
  if (!attempt.done) return;
  attempt.step->cancellation->remove_and_wait(attempt.token);
  attempt.done(std::move(outcome));
}

/// Answers all steps that wait.
void MultiDeviceServer::end_all(const Outcome& outcome) {
  std::list<Attempt> attempts;
  {
    const std::lock_guard lock(mutex_);
    for (Consumer& consumer : consumers_) attempts.splice(attempts.end(), consumer.attempts);
  }
  for (Attempt& attempt : attempts) {
    attempt.step->cancellation->remove_and_wait(attempt.token);
    attempt.done(outcome);
  }
}

void MultiDeviceServer::end(const Status& error) { end_all({error, {}}); }

void MultiDeviceServer::stop(bool waits) {
  renew_if_forked();
  {
    const std::lock_guard lock(mutex_);
    if (ended_.ok()) ended_ = kCancelled;
  }
  tasks().work().cancel();
  end_all({kCancelled, {}});  // Before the wait, as the last task may take long.
  if (waits) tasks().work().stop();
}

void MultiDeviceServer::renew(bool was_working) {
  // Steps of the parent: leaked, as their threads may be inside.
  for (Consumer& consumer : consumers_) new (&consumer.attempts) std::list<Attempt>;
  if (was_working) ended_ = data::interrupted_by_fork();
}

MultiDeviceResource::~MultiDeviceResource() {
  if (server_) server_->stop(/*waits=*/false);
}

Result<int64_t> MultiDeviceResource::start(const Dataset& dataset, const KernelServices& step, int64_t room) {
  TINYTF_RETURN_IF_ERROR(data::check_compatible(spec_, dataset.spec()));
  TINYTF_ASSIGN_OR_RETURN(RefPtr<MultiDeviceServer> server,
                          MultiDeviceServer::of(dataset, step, devices_.size(), room));
  int64_t incarnation = 0;
  {
    const std::lock_guard lock(mutex_);
    incarnation = ++incarnation_;
    std::swap(server_, server);
  }
  if (server) server->stop(/*waits=*/false);
  return incarnation;
}

Result<RefPtr<MultiDeviceServer>> MultiDeviceResource::server(int64_t incarnation) const {
  const std::lock_guard lock(mutex_);
  if (incarnation == incarnation_ && server_) return server_;
  return invalid_argument("Invalid incarnation id. Provided: ", incarnation, "; Expected: ", incarnation_);
}

void MultiDeviceResource::stop() {
  RefPtr<MultiDeviceServer> server;
  {
    const std::lock_guard lock(mutex_);
    server = server_;
  }
  if (server) server->stop(/*waits=*/true);
}

}  // namespace tinytf::ops
