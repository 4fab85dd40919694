#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/dtype.h"
#include "base/ref_ptr.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf {

/// Whether gradients flow through values of this dtype.
bool is_trainable(DType dtype);

/// What a tape records of an operation. The host language's subclass adds the data that its gradient function needs.
class TapeRecord : public RefCounted {
 public:
  /// Null for operations that were recorded with a gradient function of their own.
  const RefPtr<EagerKernel>& kernel() const { return kernel_; }

 protected:
  explicit TapeRecord(RefPtr<EagerKernel> kernel) : kernel_(std::move(kernel)) {}

 private:
  const RefPtr<EagerKernel> kernel_;
};

/// A value as tapes identify it.
struct TapedValue {
  int64_t id = 0;  ///< Unique in the process.
  DType dtype = DType::kInvalid;
};

/// Records, in order, the operations through which watched values flow. For one thread at a time, except for
/// `any_records`.
class Tape {
 public:
  Tape() = default;
  ~Tape() { recording_ -= pushed_; }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// Starts recording. Calls nest: the tape records until pop() was called as often.
  void push() { ++pushed_, ++recording_; }
  void pop() {
    if (pushed_ > 0) --pushed_, --recording_;
  }
  bool records_now() const { return pushed_ > 0; }
  /// Whether any tape of the process records.
  static bool any_records() { return recording_.load(std::memory_order_relaxed) > 0; }

  void watch(int64_t id) { watched_.insert(id); }
  bool watches(int64_t id) const { return watched_.count(id) != 0; }
  /// Whether gradients flow through any of these values.
  template <class Values>
  bool watches_any(const Values& values) const {
    for (const TapedValue& value : values) {
      if (is_trainable(value.dtype) && watches(value.id)) return true;
    }
    return false;
  }
  /// If an input is watched, keeps the record and watches the outputs.
  template <class Values>
  void see(const RefPtr<TapeRecord>& record, const Values& inputs, const Values& outputs) {
    if (!watches_any(inputs)) return;
    records_.push_back(record);
    for (const TapedValue& output : outputs) {
      if (is_trainable(output.dtype)) watch(output.id);
    }
  }
  const std::vector<RefPtr<TapeRecord>>& records() const { return records_; }
  /// Clears the tape. Returns the records, whose destructors may call back into this tape.
  std::vector<RefPtr<TapeRecord>> clear() {
    watched_.clear();
    return std::exchange(records_, {});
  }

 private:
  static inline std::atomic<int> recording_{0};
  int pushed_ = 0;
  std::unordered_set<int64_t> watched_;
  std::vector<RefPtr<TapeRecord>> records_;
};

}  // namespace tinytf
