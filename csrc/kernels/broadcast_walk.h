#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/broadcast_plan.h"

namespace tinytf::kernels {

/// Walks the rows (runs along the last dimension) of a plan of rank >= 2, keeping each operand's offset.
class RowWalk {
 public:
  RowWalk(const BroadcastPlan& plan, int64_t row) : plan_(plan) {
    for (int d = plan.rank - 2; d >= 0; --d) {
      index_[d] = row % plan.dims[d];
      row /= plan.dims[d];
      for (int i = 0; i < plan.operands; ++i) offsets_[i] += index_[d] * plan.strides[i][d];
    }
  }

  /// Offset in elements of the current row in an operand.
  int64_t offset(int operand) const { return offsets_[operand]; }

  void next() {
    for (int d = plan_.rank - 2; d >= 0; --d) {
      if (++index_[d] < plan_.dims[d]) {
        for (int i = 0; i < plan_.operands; ++i) offsets_[i] += plan_.strides[i][d];
        return;
      }
      for (int i = 0; i < plan_.operands; ++i) offsets_[i] -= (plan_.dims[d] - 1) * plan_.strides[i][d];
      index_[d] = 0;
    }
  }

 private:
  const BroadcastPlan& plan_;
  int64_t index_[BroadcastPlan::kMaxRank] = {};
  int64_t offsets_[BroadcastPlan::kMaxOperands] = {};
};

/// An operand of a plan with short rows: blocks of whole rows are copied into a buffer, so that loops see long runs.
class RowBlock {
 public:
  static constexpr int64_t kBytes = 4096;

  RowBlock(const BroadcastPlan& plan, int operand, size_t size, const void* data)
      : data_(static_cast<const char*>(data)),
        size_(size),
        inner_(plan.dims[plan.rank - 1]),
        stride_(plan.strides[operand][plan.rank - 1]) {
    int64_t dense = inner_;
    as_is_ = stride_ == 1;
    periodic_ = true;
    for (int d = plan.rank - 2; d >= 0; --d) {
      as_is_ = as_is_ && plan.strides[operand][d] == dense;
      periodic_ = periodic_ && plan.strides[operand][d] == 0;
      dense *= plan.dims[d];
    }
  }

  /// Whether the operand has the result's shape or repeats one row, so that rows cost nothing.
  bool cheap() const { return as_is_ || periodic_; }

  /// Adds a row at `offset` as number `row` of the block.
  void put(int64_t row, int64_t offset) {
    if (as_is_ || (periodic_ && row < filled_)) {
      if (row == 0) first_ = offset;
      return;
    }
    char* to = buffer_ + row * inner_ * static_cast<int64_t>(size_);
    const char* from = data_ + offset * static_cast<int64_t>(size_);
    switch (size_) {
      case 1: spread<uint8_t>(from, to); break;
      case 2: spread<uint16_t>(from, to); break;
      case 4: spread<uint32_t>(from, to); break;
      case 8: spread<uint64_t>(from, to); break;
      default: spread<Bytes16>(from, to); break;
    }
    filled_ = row + 1;
  }

  const void* block() const { return as_is_ ? data_ + first_ * static_cast<int64_t>(size_) : buffer_; }

 private:
  struct Bytes16 {
    uint64_t low, high;
  };

  template <class T>
  void spread(const char* from, char* to) const {
    T value;
    for (int64_t j = 0; j < inner_; ++j) {
      std::memcpy(&value, from + j * stride_ * static_cast<int64_t>(sizeof(T)), sizeof(T));
      std::memcpy(to + j * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
    }
  }

  const char* data_;
  size_t size_;
  int64_t inner_, stride_;
  bool as_is_, periodic_;
  int64_t filled_ = 0;  // Rows in the buffer; only a periodic operand may reuse them.
  int64_t first_ = 0;
  alignas(64) char buffer_[kBytes];
};

}  // namespace tinytf::kernels
