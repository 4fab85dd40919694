#pragma once

#include <vector>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "ops/data_flow/elements.h"
#include "ops/data_flow/tensor_list.h"
#include "ops/dtype_lists.h"

/// What the kernels and shape functions of tensor list ops share.
namespace tinytf::ops {

/// What an element may be that kernels make or take apart. Others are only kept.
inline const std::vector<DType>& list_elements() {
  static const std::vector<DType> kTypes = any_of({kNumbers, {DType::kBool, DType::kString, DType::kVariant}});
  return kTypes;
}

/// For messages: "Variant<type: t value: v>".
std::string variant_text(const Variant& variant);

/// The list in input i, which the context keeps alive.
Result<const TensorList*> input_list(const KernelContext& ctx, int i);
/// That values of type `dtype` are taken from the list, or put into it.
Status check_dtype(const TensorList& list, DType dtype);
/// An int32 in input i, which messages call `name`.
Result<int64_t> input_scalar(const KernelContext& ctx, int i, const char* name);

/// The shape that input i describes: a vector, in which -1 is an unknown size, or -1 for a shape of unknown rank.
Result<PartialShape> input_shape(const KernelContext& ctx, int i);
/// The same, merged with what the list knows of its elements.
Result<PartialShape> input_shape(const KernelContext& ctx, int i, const TensorList& list);

/// Whether the kernel may change the lists of input i, which then become output 0: nobody else refers to them.
bool may_change(const KernelContext& ctx, int i);
/// Output 0 becomes a list that may be changed and is like `list`, that of input 0: itself where that is possible.
Result<TensorList*> list_to_change(KernelContext& ctx, const TensorList& list);
/// Output 0 becomes a new list.
Status set_list_output(KernelContext& ctx, RefPtr<const TensorList> list);

/// Tensors that are laid out in a larger one of their type; where there is none, there are zeros.
class Layout {
 public:
  /// `tensor` comes `begin` elements from the start. Tensors come in order.
  void add(int64_t begin, const Tensor& tensor);
  /// All of `out`, which has elements.
  void write(Tensor& out, Parallel& parallel) const;

 private:
  std::vector<Tensor> tensors_;
  std::vector<int64_t> begins_;
  int64_t elements_ = 0;
};

/// Output i becomes zeros, or none for variants.
Status set_zeros_output(KernelContext& ctx, int i, const Shape& shape);

/// The shape that input i describes, as far as it is known while the graph is built; and only what rank it has.
Result<PartialShape> described_shape(ShapeContext& c, int i);
PartialShape described_rank(const ShapeContext& c, int i);
/// `known`, and what input i adds to it.
Result<PartialShape> merge_described(ShapeContext& c, const PartialShape& known, int i);
/// What is known of the elements of the list in input i: an error beginning with `what` and naming both types if they
/// are of another type than attr element_dtype.
Result<PartialShape> known_element_shape(const ShapeContext& c, int i, const char* what, const char* but);
/// The same in the words of ops that take elements by index.
Result<PartialShape> expected_element_shape(const ShapeContext& c, int i);
/// Output `i` is a list, and this is known of its elements.
void set_list_shape(ShapeContext& c, int i, PartialShape element_shape);

}  // namespace tinytf::ops
