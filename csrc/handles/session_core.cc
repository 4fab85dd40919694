#include "handles/session_core.h"

#include <new>

namespace tinytf {

SessionCore::SessionCore(const CoreOptions& options)
    : options_(options),
      link_(make_ref<WeakLink<SessionCore>>(*this)),
      handles_(*this, *this, points_),
      reaper_(reclaim_, *this, lock_, points_),
      memory_(options_, points_, renewal_, drains_, reaper_),
      reclaim_(options_, points_, handles_, drains_, reaper_, memory_),
      life_(lock_, points_, gate_, operations_, reaper_, reclaim_, handles_, memory_) {
  if (options_.strategy != CleanupStrategy::kInBackground) return;
  reaper_.want();
  if (!options_.lazy_reaper) reaper_.start_if_wanted();
}

SessionCore::~SessionCore() { memory_.let_go(); }

void SessionCore::destroy() noexcept {
  if (link_->cut()) {
    delete this;
  } else {
    unref();
  }
}

SessionCore& SessionCore::outside() {
  static SessionCore* const core = [] {
    CoreOptions options;
    options.strategy = CleanupStrategy::kImmediately;
    return new SessionCore(options);  // leaked: values may outlive every static object
  }();
  return *core;
}

template <class Make>
TensorHandle* SessionCore::made(Make make) {
  reclaim_.expect_handle();
  try {
    points_.at(TestPoint::kTakeHandle);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  TensorHandle* handle = make();
  if (handle == nullptr && reclaim_.collect() > 0) handle = make();
  return handle;
}

TensorHandle* SessionCore::make_handle(Tensor value) {
  return made([&] { return handles_.make(std::move(value)); });
}

TensorHandle* SessionCore::make_handle(DType dtype, RefPtr<AsyncValue> pending) {
  return made([&] { return handles_.make(dtype, std::move(pending)); });
}

void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept {
  handle.core().handles().charge_arrived(handle, value);
}

void SessionCore::abandon() {
  const RefPtr<SessionCore> self = RefPtr<SessionCore>::share(this);
  renew_if_forked();
  life_.abandon();
}

void SessionCore::start_anew_in_child() noexcept {
  renewal_.run_if_due([this] {
    lock_.start_anew();
    handles_.forget_other_threads();
    drains_.forget();
    reclaim_.forget_other_threads();
    life_.start_anew();
  });
}

CoreStats SessionCore::stats() const {
  CoreStats stats;
  stats.life = life();
  stats.strategy = options_.strategy;
  handles_.count_freed(stats);
  reclaim_.count(stats);
  handles_.count_live(stats);
  memory_.count(stats);
  gate_.count(stats);
  reaper_.count(stats);
  stats.pending_ops = operations_.pending();
  stats.fork_generation = ForkGate::generation();
  return stats;
}

void SessionCore::for_each_live(const std::function<void(TensorHandle&)>& see) {
  const Entry entry(*this);
  if (!entry) return;
  handles_.for_each([&](TensorHandle& handle) {
    if (handle.live()) see(handle);
  });
}

}  // namespace tinytf
