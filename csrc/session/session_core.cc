#include "session/session_core.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/atomic_max.h"
#include "session/core_testing.h"

namespace tinytf {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr int64_t kSmallBytes = 16 << 10;
constexpr int64_t kHelpHandles = 64;  // as many as stay in a processor's first cache, roughly

bool is_plain(DType dtype) { return dtype_size(dtype) != 0; }

/// What a handle of this value is charged with. Values that share memory are each charged in full.
int64_t charge_of(const Tensor& value) {
  if (is_plain(value.dtype())) return static_cast<int64_t>(value.bytes());
  const int64_t n = value.valid() ? value.num_elements() : 0;
  if (value.dtype() != DType::kString) return n * static_cast<int64_t>(sizeof(ResourceHandle));
  int64_t bytes = n * static_cast<int64_t>(sizeof(std::string));
  const auto* strings = value.data<std::string>();
  for (int64_t i = 0; i < n; ++i) bytes += bytes_apart(strings[i]);
  return bytes;
}

int64_t help_handles(const CoreOptions& options) {
  switch (options.strategy) {
    case CleanupStrategy::kInBackground: return std::min(kHelpHandles, options.hard_handles);
    case CleanupStrategy::kOnSafePoints: return options.hard_handles;
    default: return INT64_MAX;
  }
}

}  // namespace

SessionCore::SessionCore(CoreOptions options)
    : options_(options),
      help_handles_(help_handles(options)),
      allocator_(make_ref<Allocator>()),
      generation_(ForkGate::generation()),
      reaper_(*this) {
  ref();  // of held_.units
  allocator_->set_limit(options.memory_limit_bytes);
  allocator_->set_relief([this](int64_t) { return drain_all({}) > 0; });
  if (options.strategy == CleanupStrategy::kInBackground) {
    reaper_wanted_ = true;
    if (!options.lazy_reaper) start_reaper();
    allocator_->set_disposer(this);
  }
}

SessionCore::~SessionCore() {
  allocator_->set_disposer(nullptr);
  allocator_->set_relief(nullptr);  // values that were detached keep it
  allocator_->set_limit(0);
  if (AsyncQueue* async = async_.load()) async->unref();
  delete hooks_.load();
}

SessionCore& SessionCore::outside() {
  static SessionCore* const core = [] {
    CoreOptions options;
    options.strategy = CleanupStrategy::kImmediately;
    return new SessionCore(options);  // leaked: values may outlive every static
  }();
  return *core;
}

void SessionCore::at(CorePoint point) {
  if (CoreHooks* hooks = hooks_.load(std::memory_order_acquire)) hooks->at(point);
}

int64_t SessionCore::now_ns() const {
  if (CoreHooks* hooks = hooks_.load(std::memory_order_acquire)) {
    if (const int64_t now = hooks->fake_now_ns(); now >= 0) return now;
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

// -- Making.

TensorHandle* SessionCore::take_handle() noexcept {
  if (reaper_wanted_.load(kRelaxed)) start_reaper();
  reaper_.rouse();  // it may sleep while nothing is held, so that who drops this need not wake it
  if (urgent_.load(kRelaxed) && urgent_.exchange(false, kRelaxed)) reaper_.notify_urgent();
  try {
    at(CorePoint::kTakeHandle);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  if (held_.units.fetch_add(1, kRelaxed) == 0) ref();
  TensorHandle* handle = slabs_.take();
  if (handle == nullptr) {
    if (drain_all({}) > 0) handle = slabs_.take();
    if (handle == nullptr) {
      release_units(1);
      return nullptr;
    }
  }
  handle->core_ = this;
  return handle;
}

void SessionCore::hold(int64_t bytes) noexcept {
  raise_to(held_.peak_bytes, held_.bytes.fetch_add(bytes, kRelaxed) + bytes);
}

TensorHandle* SessionCore::make_handle(Tensor value) {
  TensorHandle* handle = take_handle();
  if (handle == nullptr) return nullptr;
  const int64_t bytes = charge_of(value);
  handle->dtype_ = value.dtype();
  handle->bytes_.store(bytes, kRelaxed);
  handle->tensor_ = std::move(value);
  hold(bytes);
  handle->state_.store(TensorHandle::State::kLive, std::memory_order_release);
  return handle;
}

TensorHandle* SessionCore::make_handle(DType dtype, RefPtr<AsyncValue> pending) {
  TensorHandle* handle = take_handle();
  if (handle == nullptr) return nullptr;
  handle->dtype_ = dtype;
  handle->bytes_.store(0, kRelaxed);
  handle->pending_ = std::move(pending);
  handle->pending_->want();
  if (!handle->pending_->charge_to(handle) && handle->pending_->wait().ok()) {
    charge_arrived_value(*handle, handle->pending_->value());
  }
  handle->state_.store(TensorHandle::State::kLive, std::memory_order_release);
  return handle;
}

void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept {
  const int64_t bytes = charge_of(value);
  handle.core().hold(bytes);
  int64_t nothing = 0;  // unless it was dropped meanwhile
  if (!handle.bytes_.compare_exchange_strong(nothing, bytes, kRelaxed)) {
    handle.core().held_.bytes.fetch_sub(bytes, kRelaxed);
  }
}

// -- Dropping.

void SessionCore::drop(TensorHandle* handle) noexcept {
  using State = TensorHandle::State;
  const bool retains = options_.strategy == CleanupStrategy::kOnSessionClose;
  State state = State::kLive;
  if (handle->state_.compare_exchange_strong(state, retains ? State::kRetained : State::kQueued,
                                             std::memory_order_acq_rel, std::memory_order_acquire)) {
    at(CorePoint::kDropBeforePush);
    if (handle->pending_) handle->pending_->unwant();
    if (options_.strategy == CleanupStrategy::kImmediately) return free_now(handle);
    int64_t bytes = handle->bytes_.load(kRelaxed);
    if (handle->pending_ != nullptr && bytes == 0 &&
        handle->bytes_.compare_exchange_strong(bytes, TensorHandle::kUncharged, kRelaxed)) {
      bytes = 0;
    }
    return retains ? retain(handle, bytes) : enqueue(handle, bytes);
  }
  if (state == State::kClosed || state == State::kInvalidated) {  // the value has gone before
    handle->state_.store(State::kVacant, kRelaxed);
    vacate(handle, handle, 1);
  }
}

bool SessionCore::is_small(const TensorHandle& handle, int64_t bytes) {
  return bytes <= kSmallBytes && is_plain(handle.dtype_);
}

void SessionCore::enqueue(TensorHandle* handle, int64_t bytes) noexcept {
  const bool background = options_.strategy == CleanupStrategy::kInBackground;
  const bool small = !background || is_small(*handle, bytes);
  std::atomic<int64_t>& count = small ? queued_.small : queued_.large;
  const int64_t handles_before = count.fetch_add(1, kRelaxed);
  const int64_t bytes_before = queued_.bytes.fetch_add(bytes, kRelaxed);
  raise_to(queued_.peak_bytes, bytes_before + bytes);
  if (background && (handles_before == options_.soft_handles ||
                     (bytes_before <= options_.soft_bytes && bytes_before + bytes > options_.soft_bytes))) {
    urgent_.store(true, kRelaxed);  // ends a nap, but that costs what a dropper does not pay: the next maker does
  }
  // Once it is in the queue somebody else may free it, and the core with it if it was the last: whoever has something
  // to tell the reaper then holds on to the core before. Only a sleeping reaper has to be told here.
  bool holds_core = false;
  const auto hold_core = [&] {
    if (!holds_core && background) held_.units.fetch_add(1, kRelaxed);
    holds_core = background;
  };
  const Queue::Pushed pushed = (small ? small_ : large_).push(handle, hold_core);
  if (pushed == Queue::Pushed::kClosed) {
    count.fetch_sub(1, kRelaxed);
    queued_.bytes.fetch_sub(bytes, kRelaxed);
    free_now(handle);
  } else if (holds_core && pushed == Queue::Pushed::kFirst) {
    if (freed_.oldest_ns.load(kRelaxed) == 0) freed_.oldest_ns.store(now_ns(), kRelaxed);
    reaper_.notify();
  }
  if (holds_core) release_units(1);
}

void SessionCore::retain(TensorHandle* handle, int64_t bytes) noexcept {
  queued_.retained.fetch_add(1, kRelaxed);
  queued_.retained_bytes.fetch_add(bytes, kRelaxed);
  if (retained_.push(handle) == MpscQueue<TensorHandle>::Pushed::kClosed) {
    queued_.retained.fetch_sub(1, kRelaxed);
    queued_.retained_bytes.fetch_sub(bytes, kRelaxed);
    free_now(handle);
  }
}

bool SessionCore::take_value(TensorHandle* handle, HandleValue* value) noexcept {
  auto state = TensorHandle::State::kLive;
  if (!handle->state_.compare_exchange_strong(state, TensorHandle::State::kClosed, std::memory_order_acq_rel,
                                              kRelaxed)) {
    return false;
  }
  if (handle->pending_) handle->pending_->unwant();
  value->pending = handle->pending_;
  value->tensor = handle->tensor_;
  held_.bytes.fetch_sub(free_value(*handle), kRelaxed);
  freed_.handles.fetch_add(1, kRelaxed);
  return true;
}

Tensor SessionCore::detach(TensorHandle* handle) {
  if (!handle->live() || !handle->wait().ok()) return Tensor();
  Tensor value = handle->tensor();
  return close_handle(handle) ? value : Tensor();
}

void SessionCore::note_export(int64_t bytes) noexcept { held_.exported_bytes.fetch_add(bytes, kRelaxed); }

void SessionCore::note_unexport(int64_t bytes) noexcept { held_.exported_bytes.fetch_sub(bytes, kRelaxed); }

// -- Freeing.

int64_t SessionCore::free_value(TensorHandle& handle) noexcept {
  try {
    at(CorePoint::kInDeleter);
  } catch (const std::exception& error) {
    note_free_error(error.what());
  }
  if (handle.pending_) {
    handle.pending_->charge_no_more(&handle);
    handle.pending_.reset();
  }
  handle.tensor_.~Tensor();
  new (&handle.tensor_) Tensor;
  return std::max<int64_t>(0, handle.bytes_.exchange(0, kRelaxed));
}

void SessionCore::note_free_error(const char* what) noexcept {
  if (freed_.errors.fetch_add(1, kRelaxed) == 0) {
    std::fprintf(stderr, "tinytf: a value was not freed as it should be: %s\n", what);
  }
}

void SessionCore::free_now(TensorHandle* handle) noexcept {
  held_.bytes.fetch_sub(free_value(*handle), kRelaxed);
  freed_.handles.fetch_add(1, kRelaxed);
  handle->state_.store(TensorHandle::State::kVacant, kRelaxed);
  vacate(handle, handle, 1);
}

void SessionCore::vacate(TensorHandle* first, TensorHandle* last, int64_t count) noexcept {
  slabs_.give_back(first, last);
  release_units(count);
}

void SessionCore::release_units(int64_t count) noexcept {
  if (held_.units.fetch_sub(count, std::memory_order_acq_rel) == count) unref();
}

bool SessionCore::retained_warning_due() {
  return options_.retained_warning_bytes > 0 &&
         queued_.retained_bytes.load(kRelaxed) > options_.retained_warning_bytes && !warned_.exchange(true);
}

AsyncQueue& SessionCore::async() {
  AsyncQueue* queue = async_.load(std::memory_order_acquire);
  if (queue != nullptr) return *queue;
  auto made = make_ref<AsyncQueue>();
  if (async_.compare_exchange_strong(queue, made.get(), std::memory_order_acq_rel)) queue = made.release();
  return *queue;
}

// -- Figures.

CoreStats SessionCore::stats() const {
  CoreStats stats;
  stats.life = life();
  stats.strategy = options_.strategy;
  // In the order in which handles go through these states, from the end: sums are not below what they should be.
  stats.freed = freed_.handles.load(std::memory_order_acquire);
  stats.invalidated = freed_.invalidated.load(std::memory_order_acquire);
  stats.retained = queued_.retained.load(kRelaxed);
  stats.queued = queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed);
  stats.created = slabs_.taken();
  stats.live = stats.created - stats.queued - stats.retained - stats.freed - stats.invalidated;
  stats.queued_bytes = queued_.bytes.load(kRelaxed);
  stats.retained_bytes = queued_.retained_bytes.load(kRelaxed);
  stats.live_bytes = held_.bytes.load(kRelaxed) - stats.queued_bytes - stats.retained_bytes;
  stats.exported_bytes = held_.exported_bytes.load(kRelaxed);
  stats.peak_bytes = held_.peak_bytes.load(kRelaxed);
  stats.peak_queued_bytes = queued_.peak_bytes.load(kRelaxed);
  const Allocator::Stats memory = allocator_->stats();
  stats.pooled_bytes = memory.pooled_bytes;
  stats.allocated_bytes = memory.live_bytes;
  stats.allocations = memory.allocations;
  stats.pool_hits = memory.pool_hits;
  if (const AsyncQueue* async = async_.load(std::memory_order_acquire)) stats.pending_ops = async->pending();
  stats.active_ops = active_.load(kRelaxed) / 2;
  stats.reaper_alive = reaper_.alive();
  stats.wakeups = reaper_.wakeups();
  stats.batches = reaper_.batches();
  stats.max_batch = reaper_.max_batch();
  stats.max_lag_us = freed_.max_lag_us.load(kRelaxed);
  stats.busy_us = reaper_.busy_us();
  stats.returning_bytes = returning_bytes_.load(kRelaxed);
  stats.returned_blocks = returned_blocks_.load(kRelaxed);
  stats.drains = freed_.drains.load(kRelaxed);
  stats.max_pause_us = freed_.max_pause_us.load(kRelaxed);
  stats.backpressure_events = freed_.backpressure_events.load(kRelaxed);
  stats.free_errors = freed_.errors.load(kRelaxed);
  stats.fork_orphaned = freed_.orphaned.load(kRelaxed);
  stats.fork_generation = ForkGate::generation();
  return stats;
}

void SessionCore::for_each_live(const std::function<void(TensorHandle&)>& see) {
  const Entry entry(*this);
  if (!entry) return;
  slabs_.for_each([&](TensorHandle& handle) {
    if (handle.live()) see(handle);
  });
}

}  // namespace tinytf
