#include "runtime/eager/eager_values.h"

#include <optional>

namespace tinytf {

Status freed_value(const TensorHandle& handle) {
  return Status(Code::kCancelled, "The value of a tensor was freed", std::make_shared<const FreedValue>(handle));
}

Result<Tensor> read_value(const TensorHandle& handle, const SessionCore* inside, EagerHost& host) {
  std::optional<SessionCore::Entry> entry;
  if (&handle.core() != inside) {
    entry.emplace(handle.core());
    if (!*entry) return freed_value(handle);
  }
  if (!handle.live()) return freed_value(handle);
  if (handle.pending() == nullptr) return handle.tensor();
  const RefPtr<AsyncValue> pending = handle.pending();  // The handle may lose it while the lock is released.
  while (!pending->done()) {
    TINYTF_RETURN_IF_ERROR(host.without_lock([&](Interrupt* interrupt) {
      const bool is_done = pending->wait_for(StepStopCheck::kPoll);
      if (is_done || interrupt == nullptr || !interrupt->interrupted()) return Status();
      return Status(Code::kCancelled, "Waiting for a value was interrupted");
    }));
    if (!handle.live()) return freed_value(handle);
  }
  TINYTF_RETURN_IF_ERROR(pending->wait());
  return pending->value();
}

}  // namespace tinytf
