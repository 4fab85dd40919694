#pragma once

#include <cstddef>

#include "base/ref_ptr.h"

namespace tinytf {

class Allocator;

/// The memory behind tensors, shared by reference count; a tensor may view any part of it. Its unique owner may write
/// to it if it is writable().
class Buffer : public RefCounted {
 public:
  void* data() const { return data_; }
  size_t size() const { return size_; }
  /// False for foreign memory (a fed NumPy array, a mapped file), which must never be written to.
  bool writable() const { return writable_; }
  /// Whether this memory is accounted for by the allocator.
  virtual bool is_charged_to(const Allocator&) const { return false; }
  /// Makes the allocator of this memory also account for memory that elements own since they were written. No thread
  /// may write the elements meanwhile. False if that exceeds the allocator's limit.
  virtual bool charge_contents() { return true; }

 protected:
  Buffer(void* data, size_t size, bool writable) : data_(data), size_(size), writable_(writable) {}

 private:
  void* data_;
  size_t size_;
  bool writable_;
};

}  // namespace tinytf
