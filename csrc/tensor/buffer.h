#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "base/ref_ptr.h"

namespace tinytf {

/// Memory behind tensors; a tensor may view any part of it. Shared by reference count. Whoever is its unique owner may
/// write, if the memory is its own.
class Buffer : public RefCounted {
 public:
  void* data() const { return data_; }
  size_t size() const { return size_; }
  /// False for memory that belongs to somebody else (a fed NumPy array, a mapped file): never written to.
  bool writable() const { return writable_; }

 protected:
  Buffer(void* data, size_t size, bool writable) : data_(data), size_(size), writable_(writable) {}

 private:
  void* data_;
  size_t size_;
  bool writable_;
};

/// Elements that need constructors and destructors: strings, resource handles.
template <class T>
class ObjectBuffer final : public Buffer {
 public:
  /// Null when memory is out.
  static RefPtr<Buffer> make(size_t n) {
    std::unique_ptr<T[]> items(new (std::nothrow) T[n]());
    return items ? RefPtr<Buffer>::adopt(new ObjectBuffer(std::move(items), n)) : nullptr;
  }

 private:
  ObjectBuffer(std::unique_ptr<T[]> items, size_t n)
      : Buffer(items.get(), n * sizeof(T), true), items_(std::move(items)) {}
  std::unique_ptr<T[]> items_;
};

}  // namespace tinytf
