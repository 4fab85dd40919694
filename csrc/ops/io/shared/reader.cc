#include "ops/io/shared/reader.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "op/guarded.h"

namespace tinytf::ops {

/// One read, until it is done.
struct Reader::Attempt {
  Attempt(KernelContext* ctx, Queue* queue, std::optional<int64_t> most, Done done)
      : ctx(ctx), queue(queue), most(most), done(std::move(done)) {}
  bool has_all() const { return static_cast<int64_t>(records.size()) == most.value_or(1); }

  KernelContext* const ctx;
  Queue* const queue;
  const std::optional<int64_t> most;
  const Done done;
  Records records;
  int64_t resets = 0;  ///< `resets_` of the reader when the first record was added
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
  unit_.reset();
  is_working_ = is_torn_ = false;
  returned_.clear();
  ++resets_;
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
      line_.push_back(attempt);
      const Status status = guarded([&] {
        attempt->registered = ctx.step().cancellation->on_cancel(
            &attempt->token,
            [reader = RefPtr<Reader>::share(this), waiting = attempt.get()] { reader->cancel(waiting); });
        return attempt->registered ? Status() : Status(Code::kCancelled, "Dequeue operation was cancelled");
      });
      if (status.ok()) return;
      line_.pop_back();
      attempt->status = status;
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
      // The callback may already run on another thread, so that only a dequeue that has failed may change the attempt.
      Status status = guarded([&] {
        attempt->queue->dequeue(*attempt->ctx, Queue::Take::kOne, 1, [self, attempt](Status done) {
          attempt->status = std::move(done);
          if (attempt->here.fetch_add(1) == 1) self->go_on(attempt, true);
        });
        return Status();
      });
      if (status.ok()) {
        if (attempt->here.fetch_add(1) == 0) return;
        has_unit = true;
        continue;
      }
      attempt->status = std::move(status);
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

/// Keeps the work unit that a dequeue has put into output 0, until it can begin. False if the dequeue failed.
bool Reader::take_unit(Attempt& attempt) {
  if (!attempt.status.ok()) return false;
  Tensor unit = std::move(attempt.ctx->output(0).tensor);
  attempt.ctx->output(0).tensor = Tensor();
  if (unit.num_elements() == 1) {
    std::lock_guard lock(source_mutex_);
    unit_ = std::move(unit);
    return true;
  }
  attempt.status = guarded([] { return invalid_argument("Expected to dequeue a one-element string tensor"); });
  return false;
}

/// Begins the dequeued work unit. If this throws, the next read begins it again.
Status Reader::begin_unit() {
  source_->end();
  state_.work = *unit_->data<std::string>();
  const Status status = source_->begin(state_.work);
  unit_.reset();
  TINYTF_RETURN_IF_ERROR(status);
  ++state_.started;
  is_working_ = true;
  read_ = 0;
  return Status();
}

/// Begins the work unit again and skips the records that were read, because a source that was interrupted by an
/// exception may have lost its position.
Status Reader::resume_unit() {
  source_->end();
  Status status = source_->begin(state_.work);
  std::string key, value;
  for (int64_t i = 0; i < read_ && status.ok(); ++i) status = source_->next(state_.work, &key, &value).status();
  is_torn_ = false;
  is_working_ = status.ok();
  return status;
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
  if (attempt.records.empty()) attempt.resets = resets_;
  for (int i = 0; i < 1000; ++i) {
    if (attempt.has_all()) return Progress::kDone;
    if (!returned_.empty()) {
      attempt.records.splice(attempt.records.end(), returned_, returned_.begin());
      ++state_.produced;
      continue;
    }
    if (!is_working_) {
      if (!attempt.records.empty()) return Progress::kDone;
      if (!unit_) return Progress::kNeedsUnit;
      TINYTF_RETURN_IF_ERROR(begin_unit());
    }
    if (is_torn_) TINYTF_RETURN_IF_ERROR(resume_unit());
    Records read(1);
    is_torn_ = true;
    const Result<RecordSource::Next> next = source_->next(state_.work, &read.front().key, &read.front().value);
    is_torn_ = false;
    TINYTF_RETURN_IF_ERROR(next.status());
    if (next.value() != RecordSource::Next::kEnd) {
      attempt.records.splice(attempt.records.end(), read);
      ++state_.produced;
      ++read_;
    }
    if (next.value() == RecordSource::Next::kRecord) continue;
    source_->end();
    state_.finished = state_.started;
    is_working_ = false;
  }
  return Progress::kMore;
}

void Reader::deliver(Attempt& attempt) {
  if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
  if (attempt.status.ok()) attempt.status = guarded([&] { return set_outputs(attempt); });
  if (attempt.status.code() == Code::kResourceExhausted) give_back(attempt);
  attempt.done(std::move(attempt.status));
}

Status Reader::set_outputs(Attempt& attempt) {
  const Shape shape = attempt.most ? Shape({static_cast<int64_t>(attempt.records.size())}) : Shape();
  TINYTF_ASSIGN_OR_RETURN(Tensor * keys, attempt.ctx->allocate_output(0, shape));
  TINYTF_ASSIGN_OR_RETURN(Tensor * values, attempt.ctx->allocate_output(1, shape));
  int64_t i = 0;
  for (Record& record : attempt.records) {
    keys->data<std::string>()[i] = std::move(record.key);
    values->data<std::string>()[i++] = std::move(record.value);
  }
  return Status();
}

/// Keeps the records of an attempt for the next one. If the reader was reset meanwhile, they are lost.
void Reader::give_back(Attempt& attempt) noexcept {
  std::lock_guard lock(source_mutex_);
  if (attempt.records.empty() || attempt.resets != resets_) return;
  state_.produced -= static_cast<int64_t>(attempt.records.size());
  returned_.splice(returned_.begin(), attempt.records);
}

}  // namespace tinytf::ops
