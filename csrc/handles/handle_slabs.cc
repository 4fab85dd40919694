#include "handles/handle_slabs.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"
#include "handles/tensor_handle.h"

namespace tinytf {

namespace {
constexpr uint32_t kFirstSlab = 64;  // small: in a program with many sessions, most of them hold little
constexpr uint32_t kLargestSlab = 4096;
}  // namespace

struct alignas(64) HandleSlabs::Slab {
  Slab* older;
  uint32_t size;
  std::atomic<uint32_t> used{0};

  TensorHandle* handles() { return reinterpret_cast<TensorHandle*>(this + 1); }
};

HandleSlabs::~HandleSlabs() {
  for (Slab* slab = newest_.load(std::memory_order_acquire); slab != nullptr;) {
    Slab* older = slab->older;
    for (uint32_t i = 0; i < slab->used.load(std::memory_order_relaxed); ++i) slab->handles()[i].~TensorHandle();
    std::free(slab);
    slab = older;
  }
}

TensorHandle* HandleSlabs::take() noexcept {
  for (int turn = 1; busy_.test_and_set(std::memory_order_acquire); ++turn) {
    if (turn % 64 == 0) sched_yield();  // the lock's holder may have been preempted
  }
  TensorHandle* handle = vacant_;
  if (handle == nullptr) handle = returned_.exchange(nullptr, std::memory_order_acquire);
  if (handle != nullptr) {
    vacant_ = handle->queue_next;
  } else {
    handle = fresh();
  }
  if (handle != nullptr) taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  busy_.clear(std::memory_order_release);
  return handle;
}

TensorHandle* HandleSlabs::fresh() noexcept {
  Slab* slab = newest_.load(std::memory_order_relaxed);
  if (slab == nullptr || slab->used.load(std::memory_order_relaxed) == slab->size) {
    const uint32_t size = slab == nullptr ? kFirstSlab : std::min(2 * slab->size, kLargestSlab);
    void* memory = allocate_aligned(sizeof(Slab) + size * sizeof(TensorHandle));
    if (memory == nullptr) return nullptr;
    slab = new (memory) Slab{slab, size, {}};
    newest_.store(slab, std::memory_order_release);
  }
  const uint32_t used = slab->used.load(std::memory_order_relaxed);
  TensorHandle* handle = new (slab->handles() + used) TensorHandle;
  slab->used.store(used + 1, std::memory_order_release);
  return handle;
}

void HandleSlabs::give_back(TensorHandle* first, TensorHandle* last) noexcept {
  TensorHandle* head = returned_.load(std::memory_order_relaxed);
  do {
    last->queue_next = head;
  } while (!returned_.compare_exchange_weak(head, first, std::memory_order_release, std::memory_order_relaxed));
}

void HandleSlabs::for_each(FunctionRef<void(TensorHandle&)> see) const {
  for (Slab* slab = newest_.load(std::memory_order_acquire); slab != nullptr; slab = slab->older) {
    const uint32_t used = slab->used.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < used; ++i) see(slab->handles()[i]);
  }
}

}  // namespace tinytf
