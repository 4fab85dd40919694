#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Elements by index. Elements that are never accessed take no memory, so an array may be declared much larger than it
/// is filled. Not thread-safe.
class ElementTable {
 public:
  struct Element {
    Tensor value;  ///< if invalid, the value of a written element is zeros
    Shape shape;   ///< shape of the written value; kept after it was read
    bool written = false;
    bool read = false;
    bool cleared = false;
  };

  /// Element i >= 0, or null if at() has not created it.
  Element* find(int64_t i) {
    const auto block = static_cast<size_t>(i / kBlock), place = static_cast<size_t>(i % kBlock);
    return block < blocks_.size() && place < blocks_[block].size() ? &blocks_[block][place] : nullptr;
  }
  /// Element i, created if necessary. Valid until the next call.
  Element& at(int64_t i) {
    const auto block = static_cast<size_t>(i / kBlock), place = static_cast<size_t>(i % kBlock);
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    std::vector<Element>& elements = blocks_[block];
    if (place >= elements.size()) {
      elements.resize(std::min(std::max(place + 1, elements.size() * 2), static_cast<size_t>(kBlock)));
    }
    return elements[place];
  }
  /// Calls f(i, element) for the elements that exist.
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
