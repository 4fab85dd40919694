#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "base/ref_ptr.h"
#include "tensor/allocator.h"

namespace tinytf {

/// Memory behind tensors; a tensor may view any part of it. Shared by reference count. Whoever is its unique owner may
/// write, if the memory is its own.
class Buffer : public RefCounted {
 public:
  void* data() const { return data_; }
  size_t size() const { return size_; }
  /// False for memory that belongs to somebody else (a fed NumPy array, a mapped file): never written to.
  bool writable() const { return writable_; }
  /// Whether the allocator counts this memory.
  virtual bool is_charged_to(const Allocator&) const { return false; }
  /// Has the allocator that counts this memory count too what its elements have come to own since they were written.
  /// Not while anybody writes them. False if that is beyond the allocator's limit.
  virtual bool charge_contents() { return true; }

 protected:
  Buffer(void* data, size_t size, bool writable) : data_(data), size_(size), writable_(writable) {}

 private:
  void* data_;
  size_t size_;
  bool writable_;
};

/// What the string has taken from the heap beyond itself.
inline int64_t bytes_apart(const std::string& text) noexcept {
  const size_t inside = std::string().capacity();  // as much as needs no heap
  return text.capacity() > inside ? static_cast<int64_t>(text.capacity()) + 1 : 0;
}

/// Elements that need constructors and destructors: strings, resource handles.
template <class T>
class ObjectBuffer final : public Buffer {
 public:
  /// Null when memory is out. `payer` (null: nobody) counts it until it is destroyed.
  static RefPtr<Buffer> make(size_t n, Allocator* payer = nullptr) {
    if (payer != nullptr && (n > SIZE_MAX / 4 / sizeof(T) || !payer->charge(size_of(n)))) return nullptr;
    std::unique_ptr<T[]> items(new (std::nothrow) T[n]());
    if (items) return RefPtr<Buffer>::adopt(new ObjectBuffer(std::move(items), n, payer));
    if (payer != nullptr) payer->discharge(size_of(n));
    return nullptr;
  }

  bool is_charged_to(const Allocator& allocator) const override { return payer_.get() == &allocator; }
  bool charge_contents() override {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!payer_) return true;
      int64_t bytes = 0;
      for (size_t i = 0; i < size() / sizeof(T); ++i) bytes += bytes_apart(items_[i]);
      const int64_t more = bytes - contents_.exchange(bytes, std::memory_order_relaxed);
      if (more < 0) payer_->discharge(-more);
      if (more > 0) return payer_->charge_taken(more);
    }
    return true;
  }

 private:
  static int64_t size_of(size_t n) { return static_cast<int64_t>(n * sizeof(T)); }
  ObjectBuffer(std::unique_ptr<T[]> items, size_t n, Allocator* payer)
      : Buffer(items.get(), n * sizeof(T), true), items_(std::move(items)) {
    if (payer != nullptr) payer_ = RefPtr<Allocator>::share(payer);
  }
  ~ObjectBuffer() override {
    items_.reset();
    if (payer_) payer_->discharge(static_cast<int64_t>(size()) + contents_.load(std::memory_order_relaxed));
  }

  std::unique_ptr<T[]> items_;
  RefPtr<Allocator> payer_;
  std::atomic<int64_t> contents_{0};  // bytes that elements own, as far as they are counted
};

}  // namespace tinytf
