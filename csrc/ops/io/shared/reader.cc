#include "ops/io/shared/reader.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "op/guarded.h"

namespace tinytf::ops {

/// One read, until it is done.
struct Reader::Attempt {
  Attempt(KernelContext* ctx, Queue* queue, std::optional<int64_t> most, Done done)
      : ctx(ctx), queue(queue), most(most), done(std::move(done)) {}
  bool has_all() const { return static_cast<int64_t>(values.size()) == most.value_or(1); }

  KernelContext* const ctx;
  Queue* const queue;
  const std::optional<int64_t> most;
  const Done done;
  std::vector<std::string> keys;
  std::vector<std::string> values;
  Status status;
  /// Counts the caller of dequeue and its callback; whichever arrives second continues the read.
  std::atomic<int> here{0};
  bool registered = false;  ///< `token` is valid
  Cancellation::Token token = 0;
};

namespace {

Status check_elements(const Queue& queue) {
  const std::vector<DType>& dtypes = queue.spec().dtypes;
  if (dtypes.size() != 1) return invalid_argument("Expected single component queue");
  if (dtypes[0] != DType::kString) return invalid_argument("Expected queue with single string component");
  return Status();
}

Status set_texts(KernelContext& ctx, int i, std::vector<std::string>& texts, bool is_vector) {
  const Shape shape = is_vector ? Shape({static_cast<int64_t>(texts.size())}) : Shape();
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, shape));
  std::move(texts.begin(), texts.end(), out->data<std::string>());
  return Status();
}

}  // namespace

Reader::Reader(std::string name, std::unique_ptr<RecordSource> source)
    : name_(std::move(name)), source_(std::move(source)) {}

Reader::~Reader() = default;

int64_t Reader::records_produced() const {
  std::lock_guard lock(source_mutex_);
  return state_.produced;
}

int64_t Reader::work_units_completed() const {
  std::lock_guard lock(source_mutex_);
  return state_.finished;
}

Result<std::string> Reader::state() const {
  if (!source_->is_resumable()) return Status(Code::kUnimplemented, "Reader SerializeState");
  std::lock_guard lock(source_mutex_);
  return state_.serialize();
}

Status Reader::restore(std::string_view state) {
  if (!source_->is_resumable()) return Status(Code::kUnimplemented, "Reader RestoreState");
  Result<ReaderState> restored = ReaderState::parse(state, name_);
  std::lock_guard lock(source_mutex_);
  clear();
  TINYTF_RETURN_IF_ERROR(restored.status());
  state_ = restored.take();
  return Status();
}

void Reader::reset() {
  std::lock_guard lock(source_mutex_);
  clear();
}

void Reader::clear() {
  source_->end();
  state_ = ReaderState();
  is_working_ = false;
}

void Reader::read(KernelContext& ctx, Queue& queue, std::optional<int64_t> most, Done done) {
  auto attempt = std::make_shared<Attempt>(&ctx, &queue, most, std::move(done));
  attempt->status = check_elements(queue);
  if (!attempt->status.ok()) return deliver(*attempt);
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    if (is_busy_) {
      // The callback takes the lock, which is held here, so that it cannot see the attempt before its token is set.
      attempt->registered = ctx.step().cancellation->on_cancel(
          &attempt->token,
          [reader = RefPtr<Reader>::share(this), waiting = attempt.get()] { reader->cancel(waiting); });
      if (attempt->registered) {
        line_.push_back(std::move(attempt));
        return;
      }
      attempt->status = Status(Code::kCancelled, "Dequeue operation was cancelled");
    } else {
      is_busy_ = true;
    }
  }
  attempt->status.ok() ? work(std::move(attempt)) : deliver(*attempt);
}

void Reader::cancel(const Attempt* attempt) {
  AttemptPtr cancelled;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    const auto found =
        std::find_if(line_.begin(), line_.end(), [attempt](const AttemptPtr& a) { return a.get() == attempt; });
    if (found == line_.end()) return;  // it is being served
    cancelled = std::move(*found);
    line_.erase(found);
  }
  cancelled->status = Status(Code::kCancelled, "Dequeue operation was cancelled");
  deliver(*cancelled);
}

void Reader::forget_attempts_of_parent() {
  renewal_.run_if_due([this] {
    line_.clear();
    is_busy_ = false;
  });
}

void Reader::work(AttemptPtr attempt) { go_on(std::move(attempt), false); }

/// Runs the current attempt and the ones that wait behind it, until one has to wait for a work unit.
void Reader::go_on(AttemptPtr attempt, bool has_unit) {
  const auto self = RefPtr<Reader>::share(this);
  while (attempt) {
    const bool may_read = !has_unit || take_unit(*attempt);
    has_unit = false;
    if (may_read && !make_records(*attempt)) {
      attempt->here = 0;
      attempt->queue->dequeue(*attempt->ctx, Queue::Take::kOne, 1, [self, attempt](Status status) {
        attempt->status = std::move(status);
        if (attempt->here.fetch_add(1) == 1) self->go_on(attempt, true);
      });
      if (attempt->here.fetch_add(1) == 0) return;
      has_unit = true;
      continue;
    }
    deliver(*attempt);
    attempt = next_attempt();
  }
}

Reader::AttemptPtr Reader::next_attempt() {
  std::lock_guard lock(mutex_);
  forget_attempts_of_parent();
  if (line_.empty()) {
    is_busy_ = false;
    return nullptr;
  }
  AttemptPtr next = std::move(line_.front());
  line_.pop_front();
  return next;
}

/// Begins the work unit that a dequeue has put into output 0. False if the dequeue or the beginning failed.
bool Reader::take_unit(Attempt& attempt) {
  if (!attempt.status.ok()) return false;
  attempt.status = guarded([&] {
    const Tensor unit = std::move(attempt.ctx->output(0).tensor);
    attempt.ctx->output(0).tensor = Tensor();
    if (unit.num_elements() != 1) return invalid_argument("Expected to dequeue a one-element string tensor");
    std::lock_guard lock(source_mutex_);
    state_.work = *unit.data<std::string>();
    TINYTF_RETURN_IF_ERROR(source_->begin(state_.work));
    ++state_.started;
    is_working_ = true;
    return Status();
  });
  return attempt.status.ok();
}

/// Whether the attempt is done, with or without an error; otherwise it needs a work unit.
bool Reader::make_records(Attempt& attempt) {
  Progress progress = Progress::kMore;
  attempt.status = guarded([&]() -> Status {
    while (progress == Progress::kMore) {
      if (attempt.ctx->is_over()) return Status(Code::kCancelled, "Dequeue operation was cancelled");
      TINYTF_ASSIGN_OR_RETURN(progress, add_records(attempt));
    }
    return Status();
  });
  return progress != Progress::kNeedsUnit;
}

/// Adds at most a thousand records, to bound the time that the lock is held.
Result<Reader::Progress> Reader::add_records(Attempt& attempt) {
  std::lock_guard lock(source_mutex_);
  for (int i = 0; i < 1000; ++i) {
    if (attempt.has_all()) return Progress::kDone;
    if (!is_working_) return Progress::kNeedsUnit;
    std::string key, value;
    TINYTF_ASSIGN_OR_RETURN(const RecordSource::Next next, source_->next(state_.work, &key, &value));
    if (next != RecordSource::Next::kEnd) {
      attempt.keys.push_back(std::move(key));
      attempt.values.push_back(std::move(value));
      ++state_.produced;
    }
    if (next == RecordSource::Next::kRecord) continue;
    source_->end();
    state_.finished = state_.started;
    is_working_ = false;
    if (!attempt.values.empty()) return Progress::kDone;
  }
  return Progress::kMore;
}

void Reader::deliver(Attempt& attempt) {
  if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
  if (attempt.status.ok()) {
    attempt.status = guarded([&] {
      TINYTF_RETURN_IF_ERROR(set_texts(*attempt.ctx, 0, attempt.keys, attempt.most.has_value()));
      return set_texts(*attempt.ctx, 1, attempt.values, attempt.most.has_value());
    });
  }
  attempt.done(std::move(attempt.status));
}

}  // namespace tinytf::ops
