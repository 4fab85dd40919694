#include "ops/data_flow/queue.h"

#include <algorithm>

#include "op/guarded.h"

namespace tinytf::ops {

namespace {

/// Copies of the inputs behind the handle if some of them lie in memory whose owner may change it later; else nothing.
Status own_foreign_components(KernelContext& ctx, std::vector<Tensor>* components) {
  const auto is_foreign = [](const Tensor& tensor) { return tensor.buffer() && !tensor.buffer()->writable(); };
  bool any = false;
  for (int i = 1; i < ctx.num_inputs(); ++i) any = any || is_foreign(ctx.input(i));
  if (!any) return Status();
  for (int i = 1; i < ctx.num_inputs(); ++i) {
    components->push_back(ctx.input(i));
    Tensor& component = components->back();
    if (!is_foreign(component)) continue;
    TINYTF_ASSIGN_OR_RETURN(component, component.clone(ctx.allocator()));
  }
  return Status();
}

/// One component of row `row` of a batch, as an element's.
Tensor component_of_row(const Tensor& batch, int64_t row) {
  Shape shape = batch.shape();
  shape.remove_dim(0);
  Result<Tensor> component = batch.rows(row, row + 1);
  TINYTF_CHECK(component.ok());  // attempts are for as many elements as there are rows
  return component.value().reshaped(std::move(shape));
}

}  // namespace

Queue::Queue(const char* kind, std::string name, QueueSpec spec)
    : kind_(kind), name_(std::move(name)), spec_(std::move(spec)) {}

Queue::~Queue() {
  // The step of a waiting attempt keeps the queue alive through the handle and through the callback at its
  // Cancellation. Attempts found here have lost both: of them there is nothing left to touch but `done`.
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
  Attempt attempt(Kind::kEnqueue, ctx, std::move(done));
  attempt.status = own_foreign_components(ctx, &attempt.tensors);
  attempt.status.ok() ? submit(std::move(attempt)) : deliver(attempt);
}

void Queue::enqueue_many(KernelContext& ctx, int64_t count, Done done) {
  Attempt attempt(Kind::kEnqueueMany, ctx, std::move(done), count);
  if (count > 0) attempt.status = own_foreign_components(ctx, &attempt.tensors);
  count > 0 && attempt.status.ok() ? submit(std::move(attempt)) : deliver(attempt);
}

void Queue::dequeue(KernelContext& ctx, Take take, int64_t count, Done done) {
  const Kind kind = take == Take::kOne ? Kind::kDequeue : take == Take::kMany ? Kind::kDequeueMany : Kind::kDequeueUpTo;
  Attempt attempt(kind, ctx, std::move(done), count);
  count > 0 ? submit(std::move(attempt)) : deliver(attempt);
}

void Queue::close(KernelContext& ctx, bool cancel_pending_enqueues, Done done) {
  Attempt attempt(Kind::kClose, ctx, std::move(done));
  if (!cancel_pending_enqueues) return submit(std::move(attempt));
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    closed_ = true;
    while (!enqueues_.empty()) give_up(enqueues_, enqueues_.begin(), finished);
    serve_lines(finished);
  }
  deliver(finished);
  deliver(attempt);
}

void Queue::submit(Attempt attempt) {
  Line finished;
  bool done = false;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    if (attempt.ctx->cancelled()) {
      attempt.status = cancelled(attempt);
      done = true;
    } else {
      done = line(attempt.is_dequeue()).empty() && serve(attempt);
      if (!done) wait_or_give_up(std::move(attempt), finished);
      serve_lines(finished);
    }
  }
  deliver(finished);
  if (done) deliver(attempt);  // last: its step may end with it, and the queue with the step
}

void Queue::cancel(bool dequeues, int64_t ticket) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    Line& waiting = line(dequeues);
    const auto found =
        std::find_if(waiting.begin(), waiting.end(), [ticket](const Attempt& a) { return a.ticket == ticket; });
    if (found == waiting.end()) return;  // finished meanwhile
    give_up(waiting, found, finished);
    serve_lines(finished);  // those behind it may go on, with what it put back or into the room it leaves
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

void Queue::wait_or_give_up(Attempt attempt, Line& finished) {
  const int64_t ticket = attempt.ticket = ++next_ticket_;
  Line& waiting = line(attempt.is_dequeue());
  waiting.push_back(std::move(attempt));
  serve_lines(finished);
  if (waiting.empty() || waiting.back().ticket != ticket) return;
  bool waits = false;
  const Status status = guarded([&] {
    waits = register_with_step(waiting.back());
    return Status();
  });
  if (waits) return;
  give_up(waiting, std::prev(waiting.end()), finished);
  if (!status.ok()) finished.back().status = status;
}

bool Queue::register_with_step(Attempt& attempt) {
  // The callback takes the queue's lock, which the caller holds: it cannot see the attempt before its token is known.
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

void Queue::return_taken(Attempt& attempt) {
  for (; attempt.moved > 0; --attempt.moved) {
    Tensor* element = attempt.tensors.data() + (attempt.moved - 1) * num_components();
    put_back([element](int i) { return std::move(element[i]); });
  }
  attempt.tensors.clear();
}

Status Queue::cancelled(const Attempt& attempt) {
  return Status(Code::kCancelled,
                attempt.is_dequeue() ? "Dequeue operation was cancelled" : "Enqueue operation was cancelled");
}

bool Queue::serve(Attempt& attempt) {
  bool is_done = false;
  // What one attempt has no memory for must not unwind the step of another that serves it.
  const Status status = guarded([&] {
    is_done = attempt.is_dequeue() ? serve_dequeue(attempt) : serve_enqueue(attempt);
    return Status();
  });
  if (status.ok()) return is_done;
  if (attempt.is_dequeue()) {
    (void)guarded([&] {
      return_taken(attempt);
      return Status();
    });
  }
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
    attempt.status = Status(Code::kCancelled, str_cat(kind_, " '", name_, "' is closed."));
    return true;
  }
  for (; attempt.moved < attempt.count && stored() < spec_.capacity; ++attempt.moved) {
    push([&attempt](int i) {
      const Tensor& input = attempt.tensors.empty() ? attempt.ctx->input(1 + i) : attempt.tensors[i];
      return attempt.kind == Kind::kEnqueue ? input : component_of_row(input, attempt.moved);
    });
  }
  return attempt.moved == attempt.count;
}

bool Queue::serve_dequeue(Attempt& attempt) {
  const int64_t there = takeable(closed_), wanted = attempt.count - attempt.moved;
  if (closed_ && there < wanted && (attempt.kind != Kind::kDequeueUpTo || attempt.moved + there == 0)) {
    return_taken(attempt);
    attempt.status =
        Status(Code::kOutOfRange, str_cat(kind_, " '", name_, "' is closed and has insufficient elements (requested ",
                                          wanted, ", current size ", there, ")"));
    return true;
  }
  if (!closed_ && there < wanted && takes_whole_batches()) return false;
  for (int64_t left = std::min(wanted, there); left > 0; --left, ++attempt.moved) {
    if (attempt.kind == Kind::kDequeue) {
      pop([&attempt](int i, Tensor component) { attempt.ctx->set_output(i, std::move(component)); });
    } else {
      pop([&attempt](int, Tensor component) { attempt.tensors.push_back(std::move(component)); });
    }
  }
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
    for (int64_t e = 0; e < count; ++e) copy_elements(elements[e * num_components() + i], 0, *batch, e * row, row);
  }
  return Status();
}

void Queue::deliver(Attempt& attempt) const {
  if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
  const bool makes_batch = attempt.kind == Kind::kDequeueMany || attempt.kind == Kind::kDequeueUpTo;
  if (makes_batch && attempt.status.ok()) {
    attempt.status = guarded([&] { return make_batch(*attempt.ctx, attempt.tensors, attempt.moved); });
  }
  attempt.tensors.clear();
  attempt.done(std::move(attempt.status));
}

void Queue::deliver(Line& finished) const {
  for (Attempt& attempt : finished) deliver(attempt);
}

}  // namespace tinytf::ops
