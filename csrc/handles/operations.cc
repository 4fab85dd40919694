#include "handles/operations.h"

namespace tinytf {

void CoreOperations::let_go_of_parts() {
  RefPtr<SessionParts> parts;  // destroyed after the lock is released
  std::lock_guard lock(lock_.mutex);
  parts = std::move(attached_);
}

AsyncQueue& CoreOperations::async() {
  AsyncQueue* queue = made();
  if (queue != nullptr) return *queue;
  auto fresh = make_ref<AsyncQueue>();
  if (async_.compare_exchange_strong(queue, fresh.get(), std::memory_order_acq_rel)) queue = fresh.release();
  return *queue;
}

void CoreOperations::cancel() {
  cancelled_ = true;
  if (const RefPtr<SessionParts> parts = this->parts()) parts->cancel();
  if (AsyncQueue* queue = made()) queue->cancel_pending();
}

Status CoreOperations::wait(const Waiting& waiting) {
  AsyncQueue* queue = made();
  if (queue == nullptr) return Status();
  if (cancelled_) queue->cancel_pending();  // added by entries that were still inside
  const auto poll = [&] { return waiting.interrupted(); };
  while (queue->pending() > 0) {
    const Status status = queue->wait(waiting.left_ms(), poll);
    if (queue->pending() == 0) break;
    if (waiting.interrupted()) return status;
    TINYTF_RETURN_IF_ERROR(waiting.look(str_cat(queue->pending(), " asynchronous operations are pending")));
  }
  return Status();
}

}  // namespace tinytf
