#include "session/drains.h"

namespace tinytf {

Status CoreDrains::wait(const Waiting& waiting) {
  const auto what = [] { return "what was dropped is still being freed"; };
  std::unique_lock lock(lock_.mutex);
  TINYTF_RETURN_IF_ERROR(waiting.wait(lock, lock_.changed, [this] { return !waited_for(); }, what));
  waited_for_.store(true, std::memory_order_seq_cst);
  Status status;
  for (int turn = 0; turn < 2 && status.ok(); ++turn) {  // a drain may have read an epoch and not yet count in it
    const int epoch = epoch_.fetch_add(1, std::memory_order_seq_cst) & 1;
    status =
        waiting.wait(lock, lock_.changed, [&] { return under_way_[epoch].load(std::memory_order_seq_cst) == 0; }, what);
  }
  waited_for_.store(false, std::memory_order_seq_cst);
  lock_.changed.notify_all();
  return status;
}

void CoreDrains::forget() {
  under_way_[0] = 0;
  under_way_[1] = 0;
  waited_for_ = false;
}

}  // namespace tinytf
