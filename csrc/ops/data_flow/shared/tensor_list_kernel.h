#pragma once

#include <vector>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "ops/data_flow/shared/elements.h"
#include "ops/data_flow/shared/tensor_list.h"
#include "ops/dtype_lists.h"

/// Declarations shared by the kernels and shape functions of tensor list ops.
namespace tinytf::ops {

/// Element dtypes that kernels can stack, split or fill with zeros. Elements of other dtypes are only stored.
inline std::vector<DType> list_elements() {
  return any_of({kNumbers, {DType::kBool, DType::kString, DType::kVariant}});
}

/// Text of a variant for messages: "Variant<type: t value: v>".
std::string variant_text(const Variant& variant);

/// The list in input i, which the context keeps alive.
Result<const TensorList*> input_list(const KernelContext& ctx, int i);
/// Checks that values of type `dtype` can be in the list.
Status check_dtype(const TensorList& list, DType dtype);
/// The int32 scalar in input i, which messages call `name`.
Result<int64_t> input_scalar(const KernelContext& ctx, int i, const char* name);

/// The shape described by input i: a vector in which -1 is an unknown size, or the scalar -1 for an unknown rank.
Result<PartialShape> input_shape(const KernelContext& ctx, int i);
/// The same, merged with the element shape of the list.
Result<PartialShape> input_shape(const KernelContext& ctx, int i, const TensorList& list);

/// Whether the kernel may change the lists of input i in place, as output 0: there is no other reference to them.
bool may_change(const KernelContext& ctx, int i);
/// Sets output 0 to a list that may be changed: the list `list` of input 0 itself if possible, else a copy.
Result<TensorList*> list_to_change(KernelContext& ctx, const TensorList& list);
/// Sets output 0 to a new list.
Status set_list_output(KernelContext& ctx, RefPtr<const TensorList> list);

/// Tensors at their positions in a larger tensor of the same dtype, with zeros in the gaps.
class Layout {
 public:
  /// Adds a tensor `begin` elements from the start. Tensors must be added in order.
  void add(int64_t begin, const Tensor& tensor);
  /// Writes all elements of `out`, which must not be empty.
  void write(Tensor& out, Parallel& parallel) const;

 private:
  std::vector<Tensor> tensors_;
  std::vector<int64_t> begins_;
  int64_t elements_ = 0;
};

/// Sets output i to zeros; variants become empty.
Status set_zeros_output(KernelContext& ctx, int i, const Shape& shape);

/// The shape described by input i, as known during graph construction; and only its rank.
Result<PartialShape> described_shape(ShapeContext& c, int i);
PartialShape described_rank(const ShapeContext& c, int i);
/// Merges `known` with the shape described by input i.
Result<PartialShape> merge_described(ShapeContext& c, const PartialShape& known, int i);
/// The known element shape of the list in input i. If its dtype differs from attr element_dtype, the error begins with
/// `what` and names both dtypes.
Result<PartialShape> known_element_shape(const ShapeContext& c, int i, const char* what, const char* but);
/// The same with the error text of ops that access elements by index.
Result<PartialShape> expected_element_shape(const ShapeContext& c, int i);
/// Sets output `i` to a list whose elements have this shape.
void set_list_shape(ShapeContext& c, int i, PartialShape element_shape);

}  // namespace tinytf::ops
