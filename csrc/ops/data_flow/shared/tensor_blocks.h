#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ref_ptr.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// Tensors by index; tensors that were never set take no memory. They are stored in blocks, which copies of this object
/// share until one of them changes the block, so that copying and the first change afterwards are cheap. Not
/// thread-safe, but copies may be used on different threads.
class TensorBlocks {
 public:
  /// Tensor i >= 0; invalid if it is not set. Valid until the next change.
  const Tensor& at(int64_t i) const {
    const auto [block, place] = position(i);
    const bool there = block < blocks_.size() && blocks_[block] && place < blocks_[block]->tensors.size();
    return there ? blocks_[block]->tensors[place] : none_;
  }
  void set(int64_t i, Tensor value) {
    const auto [block, place] = position(i);
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    std::vector<Tensor>& tensors = own(blocks_[block]);
    if (place >= tensors.size()) tensors.resize(place + 1);
    tensors[place] = std::move(value);
  }
  /// Removes and returns tensor i.
  Tensor take(int64_t i) {
    const auto [block, place] = position(i);
    if (!at(i).valid()) return Tensor();
    return std::exchange(own(blocks_[block])[place], Tensor());
  }
  /// Removes all tensors from index `end` on.
  void truncate(int64_t end) {
    const auto [block, place] = position(end);
    if (block >= blocks_.size()) return;
    blocks_.resize(block + 1);
    if (blocks_[block] && place < blocks_[block]->tensors.size()) own(blocks_[block]).resize(place);
  }
  /// Calls f(i, tensor) for the tensors that are set, in order, and stops at the first status that is not OK.
  template <class F>
  Status for_each(F f) const {
    for (size_t block = 0; block < blocks_.size(); ++block) {
      if (!blocks_[block]) continue;
      const std::vector<Tensor>& tensors = blocks_[block]->tensors;
      for (size_t place = 0; place < tensors.size(); ++place) {
        if (!tensors[place].valid()) continue;
        TINYTF_RETURN_IF_ERROR(f(static_cast<int64_t>(block * kBlock + place), tensors[place]));
      }
    }
    return Status();
  }

 private:
  static constexpr size_t kBlock = 1024;
  struct Block final : RefCounted {
    std::vector<Tensor> tensors;
  };

  static std::pair<size_t, size_t> position(int64_t i) {
    return {static_cast<size_t>(i) / kBlock, static_cast<size_t>(i) % kBlock};
  }
  /// The tensors of a block, copied first if the block is shared.
  static std::vector<Tensor>& own(RefPtr<Block>& block) {
    if (!block || !block->unique()) {
      RefPtr<Block> mine = make_ref<Block>();
      if (block) mine->tensors = block->tensors;
      block = std::move(mine);
    }
    return block->tensors;
  }

  std::vector<RefPtr<Block>> blocks_;
  Tensor none_;  // never valid
};

}  // namespace tinytf::ops
