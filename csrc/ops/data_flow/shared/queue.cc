#include "ops/data_flow/shared/queue.h"

#include <algorithm>

#include "op/guarded.h"
#include "op/kept_value.h"

namespace tinytf::ops {

namespace {

/// If some inputs after the handle may not be kept as they are, sets `components` to keepable versions of all of them;
/// otherwise leaves it empty.
Status keep_components(KernelContext& ctx, std::vector<Tensor>* components) {
  bool all = true;
  for (int i = 1; i < ctx.num_inputs(); ++i) all = all && may_be_kept(ctx.input(i));
  if (all) return Status();
  components->reserve(static_cast<size_t>(ctx.num_inputs() - 1));
  for (int i = 1; i < ctx.num_inputs(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor component, kept_value(ctx, ctx.input(i)));
    components->push_back(std::move(component));
  }
  return Status();
}

}  // namespace

Queue::Queue(const char* kind, std::string name, QueueSpec spec)
    : kind_(kind), name_(std::move(name)), spec_(std::move(spec)) {}

Queue::~Queue() {
  // The step of a waiting attempt keeps the queue alive through the handle and through the callback at its
  // Cancellation. Attempts found here have lost both; only `done` may be accessed.
  forget_attempts_of_parent();
  for (Line* line : {&enqueues_, &dequeues_}) {
    for (Attempt& attempt : *line) attempt.done(cancelled(attempt));
  }
}

int64_t Queue::size() const {
  std::lock_guard lock(mutex_);
  return stored();
}

bool Queue::is_closed() const {
  std::lock_guard lock(mutex_);
  return closed_;
}

std::string Queue::debug_string() const { return str_cat(kind_, " '", name_, "'"); }

Status Queue::matches(const char* kind, const std::string& op, const QueueSpec& spec) const {
  if (std::string_view(kind) != kind_) return invalid_argument("Expected ", kind_, ", found ", op);
  if (spec.capacity != spec_.capacity) {
    return invalid_argument("Shared queue '", name_, "' has capacity ", spec_.capacity, " but requested capacity was ",
                            spec.capacity);
  }
  if (spec.dtypes != spec_.dtypes) {
    return invalid_argument("Shared queue '", name_, "' has component types ", types_text(spec_.dtypes),
                            " but requested component types were ", types_text(spec.dtypes));
  }
  if (spec.shapes != spec_.shapes) {
    return invalid_argument("Shared queue '", name_, "' has component shapes ", shapes_text(spec_.shapes),
                            " but requested component shapes were ", shapes_text(spec.shapes));
  }
  return Status();
}

void Queue::enqueue_one(KernelContext& ctx, Done done) {
  Attempt attempt(Kind::kEnqueue, ctx, 1);
  attempt.status = keep_components(ctx, &attempt.tensors);
  submit(attempt, done);
}

void Queue::enqueue_many(KernelContext& ctx, int64_t count, Done done) {
  Attempt attempt(Kind::kEnqueueMany, ctx, count);
  attempt.status = guarded([&] { return keep_rows(attempt, std::min(count, room()), false); });
  submit(attempt, done);
}

void Queue::dequeue(KernelContext& ctx, Take take, int64_t count, Done done) {
  Attempt attempt(take == Take::kOne    ? Kind::kDequeue
                  : take == Take::kMany ? Kind::kDequeueMany
                                        : Kind::kDequeueUpTo,
                  ctx, count);
  submit(attempt, done);
}

void Queue::close(KernelContext& ctx, bool cancel_pending_enqueues, Done done) {
  if (!cancel_pending_enqueues) {
    Attempt attempt(Kind::kClose, ctx, 1);
    return submit(attempt, done);
  }
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    closed_ = true;
    while (!enqueues_.empty()) give_up(enqueues_, enqueues_.begin(), finished);
    serve_lines(finished);
  }
  deliver(finished);
  done(Status());
}

/// Performs the attempt if it need not wait; its status is then set. Otherwise nothing has changed.
bool Queue::is_done_at_once(Attempt& attempt) {
  if (attempt.status.ok() && attempt.count > 0) {
    std::unique_lock lock(mutex_);
    forget_attempts_of_parent();
    if (attempt.ctx->cancelled()) {
      attempt.status = cancelled(attempt);
    } else {
      if (!line(attempt.is_dequeue()).empty() || !need_not_wait(attempt)) return false;
      TINYTF_CHECK(serve(attempt));
      if (!enqueues_.empty() || !dequeues_.empty()) serve_others(lock);
    }
  }
  if (attempt.makes_batch()) {
    Line finished;
    set_outputs(attempt, finished);
    deliver(finished);
  }
  return true;
}

void Queue::serve_others(std::unique_lock<std::mutex>& lock) {
  Line finished;
  serve_lines(finished);
  lock.unlock();
  deliver(finished);
}

/// Moves from both arguments.
void Queue::submit(Attempt& attempt, Done& done) {
  if (is_done_at_once(attempt)) {
    attempt.tensors.clear();
    return done(std::move(attempt.status));  // last, as `done` may end the step and with it the queue
  }
  Line waiting, finished;
  waiting.push_back(std::move(attempt));
  waiting.back().done = std::move(done);
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    wait_or_give_up(waiting, finished);
    serve_lines(finished);
  }
  deliver(finished);
}

void Queue::cancel(bool dequeues, int64_t ticket) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    Line& waiting = line(dequeues);
    const auto found =
        std::find_if(waiting.begin(), waiting.end(), [ticket](const Attempt& a) { return a.ticket == ticket; });
    if (found == waiting.end()) return;  // completed meanwhile
    give_up(waiting, found, finished);
    serve_lines(finished);  // later attempts may use what it put back, or the room it leaves
  }
  deliver(finished);
}

void Queue::forget_attempts_of_parent() {
  renewal_.run_if_due([this] {
    for (Attempt& attempt : dequeues_) return_taken(attempt);
    dequeues_.clear();
    enqueues_.clear();
  });
}

void Queue::wait_or_give_up(Line& attempt, Line& finished) {
  attempt.back().ticket = ++next_ticket_;
  Line& waiting = line(attempt.back().is_dequeue());
  bool waits = false;
  const Status status = guarded([&] {
    waits = register_with_step(attempt.back());
    return Status();
  });
  if (waits) return waiting.splice(waiting.end(), attempt);
  attempt.back().status = status.ok() ? cancelled(attempt.back()) : status;
  finished.splice(finished.end(), attempt);
}

bool Queue::register_with_step(Attempt& attempt) {
  // The callback takes the queue's lock, which is held here, so that it cannot see the attempt before its token is set.
  attempt.registered = attempt.ctx->step().cancellation->on_cancel(
      &attempt.token, [queue = RefPtr<Queue>::share(this), dequeues = attempt.is_dequeue(), ticket = attempt.ticket] {
        queue->cancel(dequeues, ticket);
      });
  return attempt.registered;
}

void Queue::give_up(Line& line, Line::iterator attempt, Line& finished) {
  if (attempt->is_dequeue()) return_taken(*attempt);
  attempt->status = cancelled(*attempt);
  finished.splice(finished.end(), line, attempt);
}

void Queue::return_taken(Attempt& attempt) noexcept {
  for (; attempt.moved > 0; --attempt.moved, taken_.fetch_sub(1, std::memory_order_relaxed)) {
    Tensor* element = attempt.tensors.data() + (attempt.moved - 1) * num_components();
    put_back([element](int i) { return std::move(element[i]); });
  }
  attempt.tensors.clear();
}

Status Queue::cancelled(const Attempt& attempt) {
  return guarded([&] {
    return Status(Code::kCancelled,
                  attempt.is_dequeue() ? "Dequeue operation was cancelled" : "Enqueue operation was cancelled");
  });
}

/// Whether serve() would complete the attempt if it were the first in its line.
bool Queue::need_not_wait(const Attempt& attempt) const {
  if (closed_ || attempt.kind == Kind::kClose) return true;
  if (attempt.is_dequeue()) return attempt.count <= takeable(closed_);
  return attempt.count <= spec_.capacity - stored();
}

bool Queue::serve(Attempt& attempt) {
  bool is_done = false;
  // An exception in one attempt, for example for lack of memory, must not unwind the step of another that serves it.
  const Status status = guarded([&] {
    is_done = attempt.is_dequeue() ? serve_dequeue(attempt) : serve_enqueue(attempt);
    return Status();
  });
  if (status.ok()) return is_done;
  if (attempt.is_dequeue()) return_taken(attempt);
  attempt.status = status;
  return true;
}

bool Queue::serve_enqueue(Attempt& attempt) {
  if (attempt.kind == Kind::kClose) {
    if (closed_) attempt.status = Status(Code::kCancelled, str_cat("Queue '", name_, "' is already closed."));
    closed_ = true;
    return true;
  }
  if (closed_) {
    attempt.status = Status(Code::kCancelled, str_cat(kind_of_elements(), " '", name_, "' is closed."));
    return true;
  }
  const int64_t count = std::min(attempt.count - attempt.moved, spec_.capacity - stored());
  if (count <= 0) return false;
  reserve(stored() + taken_.load(std::memory_order_relaxed) + count);
  if (attempt.kind == Kind::kEnqueueMany) {
    attempt.status = push_rows(attempt, count);
    if (!attempt.status.ok()) return true;
  } else {
    push([&attempt](int i) { return attempt.tensors.empty() ? attempt.ctx->input(1 + i) : attempt.tensors[i]; });
  }
  attempt.moved += count;
  return attempt.moved == attempt.count;
}

/// Number of elements that there is room for; 0 if the queue is closed.
int64_t Queue::room() const {
  std::lock_guard lock(mutex_);
  return closed_ ? 0 : std::max<int64_t>(spec_.capacity - stored(), 0);
}

/// Makes the attempt's rows up to `end` keepable, skipping rows that already are. Usually called before the lock is
/// taken, because many rows take long.
Status Queue::keep_rows(Attempt& attempt, int64_t end, bool has_lock) const {
  KernelContext& ctx = *attempt.ctx;
  std::vector<KeptRows> batches;
  for (int i = 0; i < num_components(); ++i) batches.emplace_back(ctx.input(1 + i));
  const int64_t begin = attempt.first + static_cast<int64_t>(attempt.tensors.size()) / num_components();
  attempt.tensors.reserve(static_cast<size_t>(end - attempt.first) * static_cast<size_t>(num_components()));
  for (int64_t row = begin; row < end; ++row) {
    if (row % 1024 == 1023 && (has_lock ? ctx.cancelled() : ctx.is_over())) return cancelled(attempt);
    for (int i = 0; i < num_components(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor component, batches[static_cast<size_t>(i)].row(ctx.allocator(), row));
      attempt.tensors.push_back(std::move(component));
    }
  }
  return Status();
}

/// Pushes the next `count` rows of the inputs, for which there is room, or none of them on error.
Status Queue::push_rows(Attempt& attempt, int64_t count) {
  const int64_t end = attempt.moved + count, components = num_components();
  const auto kept = [&] { return attempt.first + static_cast<int64_t>(attempt.tensors.size()) / components; };
  if (kept() < end) TINYTF_RETURN_IF_ERROR(keep_rows(attempt, end, true));
  for (int64_t row = attempt.moved; row < end; ++row) {
    Tensor* element = attempt.tensors.data() + (row - attempt.first) * components;
    push([element](int i) { return std::move(element[i]); });
  }
  if (kept() == end) {
    attempt.first = end;
    attempt.tensors.clear();
  }
  return Status();
}

bool Queue::serve_dequeue(Attempt& attempt) {
  const int64_t there = takeable(closed_), wanted = attempt.count - attempt.moved;
  if (closed_ && there < wanted && (attempt.kind != Kind::kDequeueUpTo || attempt.moved + there == 0)) {
    return_taken(attempt);
    const char* kind = attempt.kind == Kind::kDequeue ? kind_of_elements() : kind_;
    attempt.status =
        Status(Code::kOutOfRange, str_cat(kind, " '", name_, "' is closed and has insufficient elements (requested ",
                                          wanted, ", current size ", there, ")"));
    return true;
  }
  if (!closed_ && there < wanted && takes_whole_batches()) return false;
  const int64_t count = std::min(wanted, there);
  if (attempt.kind == Kind::kDequeue) {
    if (count > 0) pop([&attempt](int i, Tensor component) { attempt.ctx->set_output(i, std::move(component)); });
  } else {
    const auto tensors = static_cast<size_t>((attempt.moved + count) * num_components());
    if (tensors > attempt.tensors.capacity()) {
      attempt.tensors.reserve(std::max(tensors, 2 * attempt.tensors.capacity()));
    }
    for (int64_t i = 0; i < count; ++i) {  // allocates no memory
      pop([&attempt](int, Tensor component) { attempt.tensors.push_back(std::move(component)); });
    }
    taken_.fetch_add(count, std::memory_order_relaxed);
  }
  attempt.moved += count;
  return attempt.moved == attempt.count || closed_;
}

bool Queue::serve_line(Line& line, Line& finished) {
  bool progress = false;
  while (!line.empty()) {
    Attempt& attempt = line.front();
    const int64_t before = attempt.moved;
    if (!serve(attempt)) return progress || attempt.moved > before;
    finished.splice(finished.end(), line, line.begin());
    progress = true;
  }
  return progress;
}

void Queue::serve_lines(Line& finished) {
  bool progress = true;
  while (progress) {
    progress = serve_line(enqueues_, finished);
    progress = serve_line(dequeues_, finished) || progress;
  }
}

Status Queue::make_batch(KernelContext& ctx, const std::vector<Tensor>& elements, int64_t count) const {
  for (int i = 0; i < num_components(); ++i) {
    Shape shape = spec_.shapes[i].to_shape();
    const int64_t row = shape.num_elements();
    shape.insert_dim(0, count);
    TINYTF_ASSIGN_OR_RETURN(Tensor * batch, ctx.allocate_output(i, shape));
    for (int64_t e = 0; e < count; ++e) {
      if (e % 1024 == 1023 && ctx.is_over()) return Status(Code::kCancelled, "Dequeue operation was cancelled");
      copy_elements(elements[e * num_components() + i], 0, *batch, e * row, row);
    }
  }
  return Status();
}

/// If there is no memory for the outputs, puts the elements back; attempts that this makes possible go to `finished`.
void Queue::set_outputs(Attempt& attempt, Line& finished) {
  if (!attempt.makes_batch() || !attempt.status.ok()) return;
  attempt.status = guarded([&] { return make_batch(*attempt.ctx, attempt.tensors, attempt.moved); });
  if (attempt.status.ok()) {
    taken_.fetch_sub(attempt.moved, std::memory_order_relaxed);
    return;
  }
  std::lock_guard lock(mutex_);
  return_taken(attempt);
  serve_lines(finished);
}

void Queue::deliver(Line& finished) {
  for (Attempt& attempt : finished) {  // more attempts may be appended meanwhile
    if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
    set_outputs(attempt, finished);
    attempt.tensors.clear();
    attempt.done(std::move(attempt.status));
  }
  finished.clear();
}

}  // namespace tinytf::ops
