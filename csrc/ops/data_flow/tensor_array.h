#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "op/kernel.h"
#include "ops/data_flow/element_rows.h"
#include "ops/data_flow/element_table.h"

namespace tinytf::ops {

/// The array that loops write their results to and read their inputs from: elements of one type, each written once and
/// read, by default, once. A small element is copied, beside the others; another one shares the memory of what was
/// written, and a read that clears hands it on, so that who reads may compute in place. Lives as long as a handle to
/// it, or as the step if handles are strings; the arrays of its gradients live with it.
///
/// Thread-safe. Messages are TensorFlow's.
class TensorArray final : public Resource {
 public:
  /// What handles and messages call the type.
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
  /// `size` is in [0, kMaxSize].
  TensorArray(std::string name, Spec spec, int64_t size);

  DType dtype() const { return spec_.dtype; }
  const std::string& name() const { return name_; }
  bool is_gradient() const { return is_gradient_; }
  std::string debug_string() const override;
  bool takes_any_order() const override { return !is_gradient_; }  // sums of floats do not

  Result<int64_t> size() const;
  /// Element `index` becomes `value`; the sum of both in the array of a gradient. Values have the array's type, here
  /// and below.
  Status write(KernelContext& ctx, int64_t index, Tensor value);
  /// Output 0 becomes element `index`: zeros where nothing was written, if the shape is known.
  Status read(KernelContext& ctx, int64_t index);
  /// Element indices[i] becomes row i of `value`, without a copy. `indices` is an int32 vector.
  Status scatter(KernelContext& ctx, const Tensor& indices, const Tensor& value);
  /// Element i becomes row i of `value`, for all elements, without a copy.
  Status unpack(KernelContext& ctx, const Tensor& value);
  /// Element i becomes the next lengths[i] rows of `value`, without a copy. `lengths` is an int64 vector.
  Status split(KernelContext& ctx, const Tensor& value, const Tensor& lengths);
  /// What `shape` says of the elements holds from now on.
  Status merge_element_shape(const PartialShape& shape);
  /// Each of `indices`, as `read` reads it; all of them if that is null, in the array of a gradient those that were
  /// split or unpacked.
  Status read_many(KernelContext& ctx, const Tensor* indices, std::vector<Tensor>* values);
  /// The same, stacked, where they lie as they are wanted, which costs no copy. Else an invalid tensor, and nothing was
  /// read.
  Result<Tensor> read_stacked(const Tensor* indices);
  /// Drops the elements: all uses but another `close` are errors from now on.
  void close();

  /// The array of the gradients that `source` computes, made when it is first asked for; this array does not grow any
  /// more then. What is written to one element of it is added. Elements have the shapes of this array's, with `prefix`
  /// before them.
  Result<RefPtr<TensorArray>> gradient(const std::string& source, const Shape& prefix = Shape());

 private:
  using Element = ElementTable::Element;

  // With the lock held.
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
  int64_t split_ =
      -1;  ///< into how many pieces the last split or unpack was; of a gradient's array: its array's; -1: none
  bool closed_ = false;
  ElementRows rows_;
  ElementTable elements_;  ///< those that are not in rows_
  Tensor zeros_;           ///< what was read last where nothing was written
  std::map<std::string, RefPtr<TensorArray>> gradients_;
};

}  // namespace tinytf::ops
