#include "runtime/partial_run.h"

#include <algorithm>
#include <condition_variable>

#include "op/guarded.h"
#include "runtime/executor.h"
#include "runtime/node_run.h"
#include "services/float_mode.h"

namespace tinytf {

namespace {

/// Runs a kernel that may wait, and looks meanwhile whether the step should end.
Status compute_watched(Kernel& kernel, KernelContext& ctx, StepWatch& watch, Cancellation& cancellation) {
  const ScratchScope scratch(&ctx.allocator());
  if (!kernel.is_async()) return compute_guarded(kernel, ctx);
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  Status result;
  TINYTF_RETURN_IF_ERROR(start_guarded(static_cast<AsyncKernel&>(kernel), ctx, [&](Status status) {
    std::lock_guard lock(mutex);
    result = std::move(status);
    ended = true;
    changed.notify_one();
  }));
  std::unique_lock lock(mutex);
  while (!ended) {
    const auto due = watch.next_look();
    if (due == StepWatch::Clock::time_point::max()) {
      changed.wait(lock);
    } else if (changed.wait_until(lock, due) == std::cv_status::timeout && !ended && watch.ended().ok()) {
      lock.unlock();
      if (!watch.look().ok()) cancellation.cancel();
      lock.lock();
    }
  }
  return result;
}

}  // namespace

PartialRun::PartialRun(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<std::string> feed_names,
                       std::vector<std::string> fetch_names)
    : session_(std::move(session)),
      plan_(std::move(plan)),
      feed_names_(std::move(feed_names)),
      fetch_names_(std::move(fetch_names)),
      memory_(plan_->take_slots()),
      uses_(std::make_unique<SlotUses>(*plan_, *memory_)),
      given_(feed_names_.size(), false),
      taken_(fetch_names_.size(), false),
      missing_(plan_->slot_count, false),
      done_(plan_->nodes.size(), false) {
  for (int32_t slot : plan_->feed_slots) {
    if (slot >= 0) missing_[slot] = true;
  }
  std::vector<int32_t> producers(plan_->slot_count, -1);
  for (size_t n = 0; n < plan_->nodes.size(); ++n) {
    const PlanNode& node = plan_->nodes[n];
    for (int i = 0; i < node.origin->num_outputs(); ++i) producers[node.first_output + i] = static_cast<int32_t>(n);
    for (int32_t i = node.snapshots_begin; i < node.snapshots_end; ++i) {
      producers[plan_->snapshots[i].to] = static_cast<int32_t>(n);
    }
  }
  for (int32_t slot : plan_->fetch_slots) fetch_nodes_.push_back(producers[slot]);
}

PartialRun::~PartialRun() { finish(); }

void PartialRun::finish() {
  if (!memory_) return;
  over_ = true;
  for (Slot& slot : memory_->slots) slot.tensor = Tensor();
  for (const auto& [slot, value] : plan_->constants) memory_->slots[slot].tensor = value;
  uses_.reset();
  plan_->return_slots(std::move(memory_));
  step_resources_.clear();
}

std::vector<int32_t> PartialRun::ready_nodes(const std::vector<bool>& missing) const {
  std::vector<int32_t> pending(plan_->nodes.size()), ready;
  for (size_t n = 0; n < pending.size(); ++n) pending[n] = plan_->nodes[n].pending;
  const auto conclude = [&](const PlanNode& node) {
    for (int32_t i = node.consumers_begin; i < node.consumers_end; ++i) --pending[plan_->consumers[i]];
  };
  for (size_t n = 0; n < pending.size(); ++n) {
    const PlanNode& node = plan_->nodes[n];
    if (done_[n]) {
      conclude(node);
      continue;
    }
    const auto reads = plan_->reads.begin();
    if (pending[n] > 0 ||
        std::any_of(reads + node.reads_begin, reads + node.reads_end, [&](int32_t slot) { return missing[slot]; })) {
      continue;
    }
    ready.push_back(static_cast<int32_t>(n));
    conclude(node);
  }
  return ready;
}

Status PartialRun::check(const std::vector<std::pair<int, Tensor>>& feeds, const std::vector<int>& fetches) const {
  std::vector<bool> missing = missing_;
  std::vector<bool> given = given_, taken = taken_;
  for (const auto& [feed, value] : feeds) {
    if (given[feed]) return invalid_argument("The feed ", feed_names_[feed], " has already been fed.");
    given[feed] = true;
    if (plan_->feed_slots[feed] >= 0) missing[plan_->feed_slots[feed]] = false;
    const DType wanted = plan_->feed_types[feed];
    if (value.dtype() != wanted) {
      return invalid_argument("Expects arg[", feed, "] to be ", dtype_name(wanted), " but ", dtype_name(value.dtype()),
                              " is provided");
    }
  }
  std::vector<bool> done = done_;
  for (int32_t n : ready_nodes(missing)) done[n] = true;
  for (int fetch : fetches) {
    if (taken[fetch]) return invalid_argument("The fetch ", fetch_names_[fetch], " has already been fetched.");
    taken[fetch] = true;
    const int32_t node = fetch_nodes_[fetch];
    if (node >= 0 ? !done[node] : missing[plan_->fetch_slots[fetch]]) {
      return invalid_argument("Fetch ", fetch_names_[fetch],
                              " can't be computed from the feeds that have been fed so far.");
    }
  }
  return Status();
}

Status PartialRun::run(const std::vector<int32_t>& nodes, const StepLoan& services, StepWatch& watch) {
  for (int32_t n : nodes) {
    const PlanNode& node = plan_->nodes[n];
    TINYTF_RETURN_IF_ERROR(watch.ended());
    if (services.cancellation->cancelled()) return step_cancelled();
    NodeRun run(*plan_, node, services, memory_->slots.data(), uses_->sole_reads(node));
    const Status status = guarded([&] {
      TINYTF_RETURN_IF_ERROR(run.begin());
      return run.end(compute_watched(*node.kernel, run.context(), watch, *services.cancellation));
    });
    if (!status.ok()) return watch.ended().ok() ? status : watch.ended();
    uses_->release(node);
    done_[n] = true;
    if (watch.ended().ok()) (void)watch.look();
  }
  // What the last node did while the time ran out must not be lost: an element that it took from a queue.
  return watch.ended().code() == Code::kDeadlineExceeded ? Status() : watch.ended();
}

Status PartialRun::go_on(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                         std::vector<Tensor>& values, const RunSettings& settings) {
  const std::thread::id self = std::this_thread::get_id();
  if (whose_turn_ == self) {
    return failed_precondition(
        "A call of this partial run is under way on this thread: it takes no other one until it has "
        "returned. Was it interrupted by a signal's handler?");
  }
  std::lock_guard lock(mutex_);
  whose_turn_ = self;
  const Status status = guarded([&] { return take_turn(std::move(feeds), fetches, values, settings); });
  whose_turn_ = std::thread::id();
  return status;
}

Status PartialRun::take_turn(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                             std::vector<Tensor>& values, const RunSettings& settings) {
  if (!memory_) return invalid_argument("Must run 'setup' before performing partial runs!");
  TINYTF_RETURN_IF_ERROR(check(feeds, fetches));
  Step step(*session_, settings.cancellation);
  if (!step.admitted()) return session_closed_error();
  StepWatch watch(settings.timeout_ms > 0 ? settings.timeout_ms : session_->options_.timeout_ms, settings.interrupt);
  StepLoops loops(watch, step.cancellation());
  PoolParallel parallel = session_->parallel(&loops);
  StepLoan services(session_->services(step, step_resources_, settings));
  services.parallel = &parallel;
  const FlushDenormals flush;
  for (auto& [feed, value] : feeds) {
    given_[feed] = true;
    const int32_t slot = plan_->feed_slots[feed];
    if (slot < 0) continue;
    memory_->slots[slot].tensor = std::move(value);
    missing_[slot] = false;
  }
  const Status status = run(ready_nodes(missing_), services, watch);
  if (!status.ok()) {
    finish();
    return status;
  }
  for (int fetch : fetches) {
    values.push_back(memory_->slots[plan_->fetch_slots[fetch]].tensor);
    taken_[fetch] = true;
  }
  const auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  if (all(given_) && all(taken_)) finish();
  return Status();
}

}  // namespace tinytf
