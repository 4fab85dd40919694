#include "runtime/session/partial_run.h"

#include <algorithm>

#include "op/guarded.h"
#include "runtime/plan/bytecode.h"
#include "runtime/step/fetched_variables.h"
#include "runtime/step/scheduler.h"
#include "services/float_mode.h"

namespace tinytf {

PartialRun::PartialRun(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<std::string> feed_names,
                       std::vector<std::string> fetch_names)
    : session_(std::move(session)),
      plan_(std::move(plan)),
      feed_names_(std::move(feed_names)),
      fetch_names_(std::move(fetch_names)),
      memory_(plan_->take_slots()),
      counts_(std::make_unique<UnitCounts>(program(), *memory_)),
      uses_(std::make_unique<SlotUses>(program(), *memory_)),
      given_(feed_names_.size(), false),
      taken_(fetch_names_.size(), false),
      ready_(program().roots) {
  find_readers();
  std::vector<int32_t> producers(program().slot_count, -1);
  for (size_t u = 0; u < program().units.size(); ++u) {
    const Unit& unit = program().units[u];
    waits_.push_back({counts_->pending(static_cast<int32_t>(u)), false});
    for (int32_t n = unit.begin; n < unit.end; ++n) {
      const PlanNode& node = program().nodes[n];
      for (int i = 0; i < node.num_outputs(); ++i) producers[node.first_output + i] = static_cast<int32_t>(u);
      for (int32_t i = node.snapshots_begin; i < node.snapshots_end; ++i) {
        producers[program().snapshots[i].to] = static_cast<int32_t>(u);
      }
    }
  }
  if (program().code != nullptr) producers = program().code->writers;
  for (int32_t slot : program().fetch_slots) fetch_units_.push_back(producers[slot]);
}

PartialRun::~PartialRun() { finish(); }

/// Makes each unit wait for each feed that it reads, once.
void PartialRun::find_readers() {
  readers_.resize(feed_names_.size());
  std::vector<int32_t> feed_of(program().slot_count, -1);
  for (size_t feed = 0; feed < feed_names_.size(); ++feed) {
    if (program().feed_slots[feed] >= 0) feed_of[program().feed_slots[feed]] = static_cast<int32_t>(feed);
  }
  for (size_t u = 0; u < program().units.size(); ++u) {
    const Unit& unit = program().units[u];
    for (int32_t i = unit.reads_begin; i < unit.reads_end; ++i) {
      const int32_t feed = feed_of[program().reads[i]];
      if (feed < 0) continue;
      readers_[feed].push_back(static_cast<int32_t>(u));
      counts_->add(static_cast<int32_t>(u));
    }
  }
  const auto waits = [this](int32_t unit) { return counts_->pending(unit) > 0; };
  ready_.erase(std::remove_if(ready_.begin(), ready_.end(), waits), ready_.end());
}

void PartialRun::finish() {
  if (!memory_) return;
  over_ = true;
  memory_->clear(program());
  uses_.reset();
  counts_.reset();
  plan_->return_slots(std::move(memory_));
  step_resources_.clear();
}

std::vector<PartialRun::Waits> PartialRun::after(const std::vector<int>& feeds) const {
  std::vector<Waits> waits = waits_;
  std::vector<int32_t> ready = ready_;
  const auto arrive = [&](int32_t unit) {
    if (--waits[unit].pending == 0) ready.push_back(unit);
  };
  for (int feed : feeds) std::for_each(readers_[feed].begin(), readers_[feed].end(), arrive);
  for (size_t i = 0; i < ready.size(); ++i) {
    const Unit& unit = program().units[ready[i]];
    waits[ready[i]].is_done = true;
    for (int32_t c = unit.consumers_begin; c < unit.consumers_end; ++c) arrive(program().consumers[c]);
  }
  return waits;
}

Status PartialRun::check(const std::vector<std::pair<int, Tensor>>& feeds, const std::vector<int>& fetches,
                         const std::vector<Waits>& after) const {
  std::vector<bool> given = given_, taken = taken_;
  for (const auto& [feed, value] : feeds) {
    if (given[feed]) return invalid_argument("The feed ", feed_names_[feed], " has already been fed.");
    given[feed] = true;
    const DType wanted = program().feed_types[feed];
    if (value.dtype() != wanted) {
      return invalid_argument("Expects arg[", feed, "] to be ", dtype_name(wanted), " but ", dtype_name(value.dtype()),
                              " is provided");
    }
  }
  for (int fetch : fetches) {
    if (taken[fetch]) return invalid_argument("The fetch ", fetch_names_[fetch], " has already been fetched.");
    taken[fetch] = true;
    const int32_t unit = fetch_units_[fetch];
    if (unit >= 0 ? !after[unit].is_done : is_missing(program().fetch_slots[fetch], given)) {
      return invalid_argument("Fetch ", fetch_names_[fetch],
                              " can't be computed from the feeds that have been fed so far.");
    }
  }
  return Status();
}

bool PartialRun::is_missing(int32_t slot, const std::vector<bool>& given) const {
  const auto& slots = program().feed_slots;
  const auto feed = std::find(slots.begin(), slots.end(), slot);
  return feed != slots.end() && !given[feed - slots.begin()];
}

Status PartialRun::go_on(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                         std::vector<Tensor>& values, const RunSettings& settings) {
  const std::thread::id self = std::this_thread::get_id();
  if (whose_turn_ == self) {
    return failed_precondition(
        "This thread is already in a call of this partial run, which cannot be called again before that call has "
        "returned. Was the first call interrupted by a signal handler?");
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
  std::vector<int> fed;
  for (const auto& [feed, value] : feeds) fed.push_back(feed);
  const bool is_new = std::none_of(fed.begin(), fed.end(), [this](int feed) { return given_[feed]; });
  std::vector<Waits> after = is_new ? this->after(fed) : waits_;
  TINYTF_RETURN_IF_ERROR(check(feeds, fetches, after));
  Step step(*session_, settings.cancellation);
  if (!step.admitted()) return session_->closed_error();
  StepStopCheck stop_check(settings.timeout_ms > 0 ? settings.timeout_ms : session_->options_.timeout_ms,
                           settings.interrupt);
  StepLoops loops(stop_check, step.cancellation());
  PoolParallel parallel = session_->parallel(&loops);
  StepServices services(session_->kernel_services(step, step_resources_, settings, loops));
  services.parallel = &parallel;
  const FlushDenormals flush;
  std::vector<int32_t> roots = std::move(ready_);
  ready_.clear();
  for (auto& [feed, value] : feeds) {
    given_[feed] = true;
    const int32_t slot = program().feed_slots[feed];
    if (slot >= 0) memory_->slots[slot].tensor = std::move(value);
    for (int32_t unit : readers_[feed]) {
      if (counts_->arrive(unit)) roots.push_back(unit);
    }
  }
  std::sort(roots.begin(), roots.end());  // In the plan's order as far as possible.
  const ScheduledStep scheduled{*plan_, services, *memory_, *counts_, *uses_};
  const Status status = run_scheduled(scheduled, roots, StepThreads(), stop_check);
  if (!status.ok()) {
    finish();
    return session_->options_.is_served ? session_->in_own_words(status, stop_check) : status;
  }
  waits_ = std::move(after);
  for (int fetch : fetches) {
    Slot& slot = memory_->slots[program().fetch_slots[fetch]];
    if (Status read = read_fetched_variable(slot, *services.allocator); !read.ok()) {
      values.clear();
      finish();
      return read;
    }
    const Tensor& value = slot.tensor;
    if (!value.valid()) {  // The branch was not taken.
      values.clear();
      finish();
      return invalid_argument("The tensor returned for ", fetch_names_[fetch], " was not valid.");
    }
    values.push_back(value);
    taken_[fetch] = true;
  }
  const auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  if (all(given_) && all(taken_)) finish();
  return Status();
}

}  // namespace tinytf
