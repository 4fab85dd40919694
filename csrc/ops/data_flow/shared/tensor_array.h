#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "op/kernel.h"
#include "ops/data_flow/shared/element_rows.h"
#include "ops/data_flow/shared/element_table.h"

namespace tinytf::ops {

/// The array that loops read their inputs from and write their results to: elements of one dtype, each written once and
/// by default read once. Small elements are copied into a common buffer; others share the memory of the written value,
/// and a read that clears the element hands it on, so that the consumer may compute in place. Lives as long as a
/// resource handle to it, or as the step if handles are strings; the arrays of its gradients live as long as it does.
///
/// Thread-safe. Messages are TensorFlow's.
class TensorArray final : public Resource {
 public:
  /// Name of the type in handles and messages.
  static constexpr const char* kTypeName = "N10tensorflow11TensorArrayE";
  static constexpr const char* kNoun = "TensorArray";
  static constexpr const char* kHandleRule = "Tensor array handle must be 2-element vector, but had shape: ";
  static constexpr int64_t kMaxSize = INT32_MAX;

  struct Spec {
    DType dtype = DType::kInvalid;
    PartialShape element_shape;
    bool dynamic_size = false;
    bool clear_after_read = true;
    bool identical_element_shapes = false;
  };
  /// `size` must be in [0, kMaxSize].
  TensorArray(std::string name, Spec spec, int64_t size);

  DType dtype() const { return spec_.dtype; }
  const std::string& name() const { return name_; }
  bool is_gradient() const { return is_gradient_; }
  std::string debug_string() const override;
  bool takes_any_order() const override { return !is_gradient_; }  // floating-point sums depend on the order

  Result<int64_t> size() const;
  /// Sets element `index` to `value`, or adds it in the array of a gradient. Here and below, values must have the dtype
  /// of the array.
  Status write(KernelContext& ctx, int64_t index, Tensor value);
  /// Sets output 0 to element `index`: zeros if it was not written and its shape is known.
  Status read(KernelContext& ctx, int64_t index);
  /// Sets element indices[i] to row i of `value`, without a copy. `indices` is an int32 vector.
  Status scatter(KernelContext& ctx, const Tensor& indices, const Tensor& value);
  /// Sets each element i to row i of `value`, without a copy.
  Status unpack(KernelContext& ctx, const Tensor& value);
  /// Sets each element i to the next lengths[i] rows of `value`, without a copy. `lengths` is an int64 vector.
  Status split(KernelContext& ctx, const Tensor& value, const Tensor& lengths);
  /// Merges `shape` into the known element shape.
  Status merge_element_shape(const PartialShape& shape);
  /// Reads the elements `indices` as `read` does; if null, all elements, or in the array of a gradient as many as were
  /// split or unpacked.
  Status read_many(KernelContext& ctx, const Tensor* indices, std::vector<Tensor>* values);
  /// Reads the same elements stacked, if they already lie in this order in one buffer, so that no copy is needed.
  /// Otherwise returns an invalid tensor and reads nothing.
  Result<Tensor> read_stacked(const Tensor* indices);
  /// Drops the elements. Every later use except `close` is an error.
  void close();

  /// The array of the gradients that `source` computes, created on the first call; this array cannot grow after that.
  /// Values written to the same element are added up. Elements have the shapes of this array's elements with `prefix`
  /// in front.
  Result<RefPtr<TensorArray>> gradient(const std::string& source, const Shape& prefix = Shape());

 private:
  using Element = ElementTable::Element;

  // Called with the lock held.
  Status check_open() const;
  Status write_element(KernelContext& ctx, int64_t index, Tensor value);
  Result<Tensor> read_element(KernelContext& ctx, int64_t index);
  Status make_room(int64_t index);
  Status add_to(KernelContext& ctx, int64_t index, Element& element, Tensor value);
  Result<bool> write_row(KernelContext& ctx, int64_t index, const Tensor& value);
  Status add(const void* old, const Tensor& value, void* sum, KernelContext& ctx) const;
  void note_read(int64_t index, ElementRows::State& state);
  int64_t readable() const { return is_gradient_ && split_ >= 0 ? split_ : size_; }
  Status check_sum(int64_t index, const Shape& sum, const Shape& value) const;
  Status check_shape(int64_t index, const Shape& shape);
  Result<bool> unpack_rows(const Tensor& value);
  Result<Tensor> zeros(KernelContext& ctx, const Shape& shape);

  template <class... Parts>
  Status wrong(const Parts&... parts) const {
    return invalid_argument("TensorArray ", name_, ": ", parts...);
  }

  const std::string name_;
  bool is_gradient_ = false;

  mutable std::mutex mutex_;
  Spec spec_;
  int64_t size_;
  /// Number of pieces of the last split or unpack, in the array of a gradient that of the original array; -1 for none.
  int64_t split_ = -1;
  bool closed_ = false;
  ElementRows rows_;
  ElementTable elements_;  ///< elements that are not in rows_
  Tensor zeros_;           ///< the zeros last read from an element without a value
  std::map<std::string, RefPtr<TensorArray>> gradients_;
};

}  // namespace tinytf::ops
