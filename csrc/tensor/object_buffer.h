#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "tensor/allocator.h"
#include "tensor/buffer.h"

namespace tinytf {

/// Bytes that the string owns on the heap.
inline int64_t bytes_apart(const std::string& text) noexcept {
  const size_t inside = std::string().capacity();  // largest capacity that needs no heap memory
  return text.capacity() > inside ? static_cast<int64_t>(text.capacity()) + 1 : 0;
}

/// A buffer of elements with constructors and destructors: strings, resource handles, variants. They follow the buffer
/// object in the same block of memory.
template <class T>
class ObjectBuffer final : public Buffer {
 public:
  /// Returns null when memory is exhausted. The memory comes from `payer`, which accounts for it until the buffer is
  /// destroyed, or from operator new if `payer` is null.
  static RefPtr<Buffer> make(size_t n, Allocator* payer = nullptr) {
    if (n > SIZE_MAX / 4 / sizeof(T)) return nullptr;
    const size_t bytes = sizeof(ObjectBuffer) + n * sizeof(T);
    RefPtr<Buffer> block;
    if (payer != nullptr && !(block = payer->allocate(bytes))) return nullptr;
    void* const memory = payer != nullptr ? block->data() : ::operator new(bytes, std::nothrow);
    if (memory == nullptr) return nullptr;
    auto* const items = reinterpret_cast<T*>(static_cast<char*>(memory) + sizeof(ObjectBuffer));
    std::uninitialized_value_construct_n(items, n);
    return RefPtr<Buffer>::adopt(new (memory) ObjectBuffer(items, n, std::move(block), payer));
  }

  bool is_charged_to(const Allocator& allocator) const override { return payer_ == &allocator; }
  bool charge_contents() override {
    if constexpr (std::is_same_v<T, std::string>) {
      if (payer_ == nullptr) return true;
      int64_t bytes = 0;
      for (size_t i = 0; i < count(); ++i) bytes += bytes_apart(items()[i]);
      const int64_t more = bytes - contents_.exchange(bytes, std::memory_order_relaxed);
      if (more < 0) payer_->discharge(-more);
      if (more > 0) return payer_->charge_taken(more);
    }
    return true;
  }

 private:
  static_assert(std::is_nothrow_default_constructible_v<T>);

  ObjectBuffer(T* items, size_t n, RefPtr<Buffer> block, Allocator* payer)
      : Buffer(items, n * sizeof(T), true), block_(std::move(block)), payer_(payer) {
    static_assert(sizeof(ObjectBuffer) % alignof(T) == 0 && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  }
  ~ObjectBuffer() override {
    std::destroy_n(items(), count());
    const int64_t contents = contents_.load(std::memory_order_relaxed);
    if (contents > 0) payer_->discharge(contents);
  }
  void destroy() noexcept override {
    const RefPtr<Buffer> block = std::move(block_);  // this object lies in the block
    this->~ObjectBuffer();
    if (!block) ::operator delete(static_cast<void*>(this));
  }

  T* items() const { return static_cast<T*>(data()); }
  size_t count() const { return size() / sizeof(T); }

  RefPtr<Buffer> block_;
  Allocator* const payer_;            // kept alive by block_
  std::atomic<int64_t> contents_{0};  // bytes owned by elements that payer_ accounts for
};

}  // namespace tinytf
