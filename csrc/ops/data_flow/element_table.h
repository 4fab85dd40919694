#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Elements by number, of which those that nobody touched take no memory: an array may be declared far larger than what
/// is written to it. Not thread-safe.
class ElementTable {
 public:
  struct Element {
    Tensor value;  ///< none: zeros, if it was written
    Shape shape;   ///< of what was written, also after it was read
    bool written = false;
    bool read = false;
    bool cleared = false;
  };

  /// Null where `at` was never called; i >= 0.
  Element* find(int64_t i) {
    const auto block = static_cast<size_t>(i / kBlock), place = static_cast<size_t>(i % kBlock);
    return block < blocks_.size() && place < blocks_[block].size() ? &blocks_[block][place] : nullptr;
  }
  /// Valid until the next call.
  Element& at(int64_t i) {
    const auto block = static_cast<size_t>(i / kBlock), place = static_cast<size_t>(i % kBlock);
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    std::vector<Element>& elements = blocks_[block];
    if (place >= elements.size()) {
      elements.resize(std::min(std::max(place + 1, elements.size() * 2), static_cast<size_t>(kBlock)));
    }
    return elements[place];
  }
  /// f(i, element), for those that are there.
  template <class F>
  void for_each(F f) const {
    for (size_t block = 0; block < blocks_.size(); ++block) {
      for (size_t place = 0; place < blocks_[block].size(); ++place) {
        f(static_cast<int64_t>(block) * kBlock + static_cast<int64_t>(place), blocks_[block][place]);
      }
    }
  }
  bool empty() const { return blocks_.empty(); }
  void clear() { blocks_ = {}; }

 private:
  static constexpr int64_t kBlock = 1024;
  std::vector<std::vector<Element>> blocks_;
};

}  // namespace tinytf::ops
