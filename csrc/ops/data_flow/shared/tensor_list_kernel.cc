#include "ops/data_flow/shared/tensor_list_kernel.h"

#include <cstring>

#include "ops/array/shared/concat_pieces.h"

namespace tinytf::ops {

std::string variant_text(const Variant& variant) {
  const bool some = static_cast<bool>(variant.value);
  return str_cat("Variant<type: ", some ? variant.value->type_name() : "", " value: ", variant.debug_string(), ">");
}

Result<const TensorList*> input_list(const KernelContext& ctx, int i) {
  const Tensor& handle = ctx.input(i);
  if (handle.rank() != 0) {
    return invalid_argument("Input list must be a scalar saw: ", handle.shape().to_string());
  }
  const Variant& variant = *handle.data<Variant>();
  if (const auto* list = variant.get<TensorList>()) return list;
  return invalid_argument("Input handle is not a list. Saw: '", variant_text(variant), "'");
}

Status check_dtype(const TensorList& list, DType dtype) {
  if (list.dtype() == dtype) return Status();
  return invalid_argument("Invalid data types; op elements ", dtype_name(dtype), " but list elements ",
                          dtype_name(list.dtype()));
}

Result<int64_t> input_scalar(const KernelContext& ctx, int i, const char* name) {
  if (ctx.input(i).num_elements() == 1) return ctx.input(i).int_at(0);
  return invalid_argument(name, " must be a scalar, but has shape ", ctx.input(i).shape().to_string());
}

Result<PartialShape> input_shape(const KernelContext& ctx, int i) {
  const Tensor& sizes = ctx.input(i);
  if (sizes.rank() == 0) {
    if (sizes.int_at(0) == -1) return PartialShape();
    return invalid_argument("The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  }
  if (sizes.rank() > 1 || sizes.num_elements() > Shape::kMaxRank) {
    return invalid_argument("The shape of elements must be a vector of at most ", Shape::kMaxRank,
                            " sizes or the scalar -1, but has shape ", sizes.shape().to_string());
  }
  PartialShape shape = PartialShape::scalar();
  for (int64_t k = 0; k < sizes.num_elements(); ++k) {
    const int64_t size = sizes.int_at(k);
    if (size < -1) return invalid_argument("Dimension ", size, " must be >= -1");
    shape.add_dim(size);
  }
  return shape;
}

Result<PartialShape> input_shape(const KernelContext& ctx, int i, const TensorList& list) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, input_shape(ctx, i));
  return merge_shapes(shape, list.spec().element_shape);
}

bool may_change(const KernelContext& ctx, int i) {
  const Tensor& lists = ctx.input(i);
  if (!ctx.can_forward(i, DType::kVariant, lists.num_elements())) return false;
  for (int k = 0; k < ctx.num_inputs(); ++k) {  // the same slot may be two inputs, when a list is put into itself
    if (k != i && ctx.input(k).buffer() == lists.buffer()) return false;
  }
  for (int64_t k = 0; k < lists.num_elements(); ++k) {
    const Variant& element = lists.data<Variant>()[k];
    if (!element.value || !element.value->unique()) return false;
  }
  return true;
}

Result<TensorList*> list_to_change(KernelContext& ctx, const TensorList& list) {
  if (may_change(ctx, 0)) {
    ctx.set_output(0, ctx.input(0));
    return const_cast<TensorList*>(&list);  // there is no other reference to it
  }
  RefPtr<TensorList> copy = list.copy();
  TensorList* result = copy.get();
  TINYTF_RETURN_IF_ERROR(set_list_output(ctx, std::move(copy)));
  return result;
}

Status set_list_output(KernelContext& ctx, RefPtr<const TensorList> list) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  out->data<Variant>()->value = std::move(list);
  return Status();
}

void Layout::add(int64_t begin, const Tensor& tensor) {
  tensors_.push_back(tensor);
  begins_.push_back(begin);
  elements_ += tensor.num_elements();
}

void Layout::write(Tensor& out, Parallel& parallel) const {
  if (elements_ == out.num_elements()) return concat_values(tensors_, out, parallel);
  if (out.bytes() > 0) std::memset(out.raw(), 0, out.bytes());  // new strings and handles are empty already
  for (size_t i = 0; i < tensors_.size(); ++i) {
    copy_elements(tensors_[i], 0, out, begins_[i], tensors_[i].num_elements());
  }
}

Status set_zeros_output(KernelContext& ctx, int i, const Shape& shape) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, shape));
  if (out->bytes() > 0) std::memset(out->raw(), 0, out->bytes());
  return Status();
}

Result<PartialShape> described_shape(ShapeContext& c, int i) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(i, 1));
  PartialShape shape = c.input_as_shape(i);
  return shape.known_rank() ? shape : described_rank(c, i);
}

PartialShape described_rank(const ShapeContext& c, int i) {
  return c.input(i).rank() == 1 ? PartialShape::unknown_of_rank(c.input(i).dim(0)) : PartialShape();
}

Result<PartialShape> merge_described(ShapeContext& c, const PartialShape& known, int i) {
  // Messages show only the requested information: a rank if the ranks conflict, not the whole shape.
  TINYTF_RETURN_IF_ERROR(known.merge(described_rank(c, i)).status());
  TINYTF_ASSIGN_OR_RETURN(const PartialShape described, described_shape(c, i));
  return known.merge(described);
}

Result<PartialShape> known_element_shape(const ShapeContext& c, int i, const char* what, const char* but) {
  const HandleInfo* info = c.input_handle(i);
  if (info == nullptr) return PartialShape();
  const auto dtype = c.attr<DType>("element_dtype");
  if (info->dtype == dtype) return info->shape;
  return invalid_argument(what, dtype_name(info->dtype), but, dtype_name(dtype));
}

Result<PartialShape> expected_element_shape(const ShapeContext& c, int i) {
  const HandleInfo* info = c.input_handle(i);
  if (info == nullptr) return PartialShape();
  const auto dtype = c.attr<DType>("element_dtype");
  if (info->dtype == dtype) return info->shape;
  return invalid_argument("Expected list with element dtype ", dtype_name(dtype), " but got list with element dtype ",
                          dtype_name(info->dtype));
}

void set_list_shape(ShapeContext& c, int i, PartialShape element_shape) {
  c.set_output(i, PartialShape::scalar());
  c.set_output_handle(i, {c.attr<DType>("element_dtype"), std::move(element_shape)});
}

}  // namespace tinytf::ops
