#include "handles/core_handles.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/atomic_max.h"
#include "tensor/object_buffer.h"

namespace tinytf {

namespace {

using State = TensorHandle::State;

/// The bytes charged for a handle of this value. Values that share memory are each charged in full.
int64_t charge_of(const Tensor& value) {
  if (dtype_size(value.dtype()) != 0) return static_cast<int64_t>(value.bytes());
  const int64_t n = value.valid() ? value.num_elements() : 0;
  if (value.dtype() == DType::kVariant) {
    int64_t bytes = n * static_cast<int64_t>(sizeof(Variant));
    for (int64_t i = 0; i < n; ++i) {
      const Variant& element = value.data<Variant>()[i];
      if (element.value) bytes += element.value->bytes();
    }
    return bytes;
  }
  if (value.dtype() != DType::kString) return n * static_cast<int64_t>(sizeof(ResourceHandle));
  int64_t bytes = n * static_cast<int64_t>(sizeof(std::string));
  const auto* strings = value.data<std::string>();
  for (int64_t i = 0; i < n; ++i) bytes += bytes_apart(strings[i]);
  return bytes;
}

}  // namespace

// -- Creation.

TensorHandle* CoreHandles::take() noexcept {
  TensorHandle* handle = slabs_.take();
  if (handle == nullptr) return nullptr;
  hold();
  handle->core_ = &core_;
  return handle;
}

void CoreHandles::charge(int64_t bytes) noexcept { raise_to(peak_bytes_, bytes_.fetch_add(bytes, kRelaxed) + bytes); }

TensorHandle* CoreHandles::make(Tensor&& value) {
  TensorHandle* handle = take();
  if (handle == nullptr) return nullptr;
  const int64_t bytes = charge_of(value);
  handle->dtype_ = value.dtype();
  handle->bytes_.store(bytes, kRelaxed);
  handle->tensor_ = std::move(value);
  charge(bytes);
  handle->state_.store(State::kLive, std::memory_order_release);
  return handle;
}

TensorHandle* CoreHandles::make(DType dtype, RefPtr<AsyncValue>&& pending) {
  TensorHandle* handle = take();
  if (handle == nullptr) return nullptr;
  handle->dtype_ = dtype;
  handle->bytes_.store(0, kRelaxed);
  handle->pending_ = std::move(pending);
  handle->pending_->want();
  if (!handle->pending_->charge_to(handle) && handle->pending_->wait().ok()) {
    charge_arrived(*handle, handle->pending_->value());
  }
  handle->state_.store(State::kLive, std::memory_order_release);
  return handle;
}

void CoreHandles::charge_arrived(TensorHandle& handle, const Tensor& value) noexcept {
  const int64_t bytes = charge_of(value);
  charge(bytes);
  int64_t nothing = 0;  // the exchange fails if the handle was dropped meanwhile
  if (!handle.bytes_.compare_exchange_strong(nothing, bytes, kRelaxed)) bytes_.fetch_sub(bytes, kRelaxed);
}

// -- Freeing the value while the owner exists.

bool CoreHandles::take_value(TensorHandle* handle, HandleValue* value) noexcept {
  auto state = State::kLive;
  if (!handle->state_.compare_exchange_strong(state, State::kClosed, std::memory_order_acq_rel, kRelaxed)) {
    return false;
  }
  if (handle->pending_) handle->pending_->unwant();
  value->pending = handle->pending_;
  value->tensor = handle->tensor_;
  bytes_.fetch_sub(free_value(*handle), kRelaxed);
  freed_.fetch_add(1, kRelaxed);
  return true;
}

Tensor CoreHandles::detach(TensorHandle* handle) {
  if (!handle->live() || !handle->wait().ok()) return Tensor();
  Tensor value = handle->tensor();
  return close(handle) ? value : Tensor();
}

void CoreHandles::invalidate_live() noexcept {
  int64_t count = 0;
  int64_t bytes = 0;
  slabs_.for_each([&](TensorHandle& handle) {
    auto state = State::kLive;
    if (!handle.state_.compare_exchange_strong(state, State::kInvalidated, std::memory_order_acq_rel, kRelaxed)) return;
    if (handle.pending_) handle.pending_->unwant();
    bytes += free_value(handle);
    ++count;
  });
  bytes_.fetch_sub(bytes, kRelaxed);
  invalidated_.fetch_add(count, kRelaxed);
}

// -- Freeing dropped handles.

void CoreHandles::vacate_freed(TensorHandle& handle, State state) noexcept {
  if (state != State::kClosed && state != State::kInvalidated) return;
  handle.state_.store(State::kVacant, kRelaxed);
  slabs_.give_back(&handle, &handle);
  release(1);
}

int64_t CoreHandles::free_value(TensorHandle& handle) noexcept {
  try {
    points_.at(TestPoint::kInDeleter);
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

void CoreHandles::note_free_error(const char* what) noexcept {
  if (errors_.fetch_add(1, kRelaxed) == 0) {
    std::fprintf(stderr, "tinytf: the memory of a value was not freed because of an error: %s\n", what);
  }
}

CoreHandles::Batch CoreHandles::free_some(TensorHandle*& chain) noexcept {
  constexpr int64_t kHandles = 64;
  constexpr int64_t kBytes = 1 << 20;
  Batch batch;
  batch.last = chain;
  while (chain != nullptr && batch.handles < kHandles && batch.bytes < kBytes) {
    TensorHandle* handle = chain;
    chain = handle->queue_next;
    if (chain != nullptr) __builtin_prefetch(chain);
    batch.bytes += free_value(*handle);
    handle->state_.store(State::kVacant, kRelaxed);
    handle->queue_next = batch.first;
    batch.first = handle;
    ++batch.handles;
  }
  return batch;
}

void CoreHandles::give_back(const Batch& batch) noexcept {
  bytes_.fetch_sub(batch.bytes, kRelaxed);
  freed_.fetch_add(batch.handles, kRelaxed);
  slabs_.give_back(batch.first, batch.last);
  release(batch.handles);
}

void CoreHandles::free(TensorHandle& handle) noexcept {
  const int64_t bytes = free_value(handle);
  handle.state_.store(State::kVacant, kRelaxed);
  give_back({&handle, &handle, 1, bytes});
}

// -- Statistics.

void CoreHandles::count_freed(CoreStats& stats) const {
  stats.freed = freed_.load(std::memory_order_acquire);
  stats.invalidated = invalidated_.load(std::memory_order_acquire);
  stats.free_errors = errors_.load(kRelaxed);
}

void CoreHandles::count_live(CoreStats& stats) const {
  stats.created = slabs_.taken();
  stats.live = stats.created - stats.queued - stats.retained - stats.freed - stats.invalidated;
  stats.live_bytes = bytes_.load(kRelaxed) - stats.queued_bytes - stats.retained_bytes;
  stats.peak_bytes = peak_bytes_.load(kRelaxed);
}

}  // namespace tinytf
