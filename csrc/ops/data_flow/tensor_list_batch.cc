#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

/// Sets output 0 to lists that may be changed: the lists `lists` of input 0 themselves if possible, else copies.
Result<std::vector<TensorList*>> lists_to_change(KernelContext& ctx, const std::vector<const TensorList*>& lists) {
  std::vector<TensorList*> changed;
  if (may_change(ctx, 0)) {
    ctx.set_output(0, ctx.input(0));
    // There is no other reference to the lists.
    for (const TensorList* list : lists) changed.push_back(const_cast<TensorList*>(list));
    return changed;
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, ctx.input(0).shape()));
  for (size_t i = 0; i < lists.size(); ++i) {
    RefPtr<TensorList> copy = lists[i]->copy();
    changed.push_back(copy.get());
    out->data<Variant>()[i].value = std::move(copy);
  }
  return changed;
}

class TensorListPushBackBatchKernel final : public Kernel {
 public:
  explicit TensorListPushBackBatchKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& handles = ctx.input(0);
    const Tensor& values = ctx.input(1);
    if (values.rank() == 0) {
      return invalid_argument("Expected tensor to be at least a vector, but saw shape: ", values.shape().to_string());
    }
    if (handles.rank() != 1) {
      return invalid_argument("Expected input_handles to be a vector, but saw shape: ", handles.shape().to_string());
    }
    if (values.dim(0) != handles.dim(0)) {
      return invalid_argument("Expected tensor.shape[0] == input_handles.size, but saw ", values.dim(0), " vs. ",
                              handles.dim(0));
    }
    Shape row = values.shape();
    row.remove_dim(0);
    std::vector<const TensorList*> lists;
    for (int64_t i = 0; i < handles.dim(0); ++i) {
      const Variant& handle = handles.data<Variant>()[i];
      lists.push_back(handle.get<TensorList>());
      TINYTF_RETURN_IF_ERROR(check(i, handle, lists.back(), row));
    }
    TINYTF_ASSIGN_OR_RETURN(const std::vector<TensorList*> changed, lists_to_change(ctx, lists));
    for (size_t i = 0; i < changed.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor value, row_of(values, static_cast<int64_t>(i)));
      TINYTF_RETURN_IF_ERROR(changed[i]->push_back(std::move(value)));
    }
    return Status();
  }

 private:
  Status check(int64_t i, const Variant& handle, const TensorList* list, const Shape& row) const {
    if (list == nullptr) {
      return invalid_argument("Input handle at index ", i, " is not a list. Saw: '", variant_text(handle), "'");
    }
    const auto& [dtype, element_shape, max_size] = list->spec();
    if (!element_shape.compatible_with(row)) {
      return invalid_argument("Tried to append a tensor with incompatible shape to a list at index ", i,
                              ". Op element shape: ", row.to_string(), " list shape: ", element_shape.to_string());
    }
    if (dtype == dtype_) return Status();
    return invalid_argument("Invalid data type at index ", i, "; op elements ", dtype_name(dtype_),
                            " but list elements ", dtype_name(dtype));
  }

  const DType dtype_;
};

class TensorListConcatListsKernel final : public Kernel {
 public:
  explicit TensorListConcatListsKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.shape() != b.shape()) {
      return invalid_argument("Incompatible input TensorList tensor shapes: ", a.shape().to_string(), " vs. ",
                              b.shape().to_string());
    }
    std::vector<const TensorList*> heads, tails;
    for (int64_t i = 0; i < a.num_elements(); ++i) {
      heads.push_back(a.data<Variant>()[i].get<TensorList>());
      tails.push_back(b.data<Variant>()[i].get<TensorList>());
      TINYTF_RETURN_IF_ERROR(check_list("input_a", i, a, heads.back()));
      TINYTF_RETURN_IF_ERROR(check_list("input_b", i, b, tails.back()));
      TINYTF_RETURN_IF_ERROR(check_element_dtype("input_a", i, *heads.back()));
      TINYTF_RETURN_IF_ERROR(check_element_dtype("input_b", i, *tails.back()));
      TINYTF_RETURN_IF_ERROR(
          check_same_shape(i, heads.back()->spec().element_shape, tails.back()->spec().element_shape));
    }
    TINYTF_ASSIGN_OR_RETURN(const std::vector<TensorList*> changed, lists_to_change(ctx, heads));
    for (size_t i = 0; i < changed.size(); ++i) TINYTF_RETURN_IF_ERROR(changed[i]->append(*tails[i]));
    return Status();
  }

 private:
  static Status check_list(const char* input, int64_t i, const Tensor& handles, const TensorList* list) {
    if (list != nullptr) return Status();
    return invalid_argument(input, " is not a TensorList at index ", i, ".  Saw: '",
                            variant_text(handles.data<Variant>()[i]), "'");
  }
  Status check_element_dtype(const char* input, int64_t i, const TensorList& list) const {
    if (list.dtype() == dtype_) return Status();
    return invalid_argument(input, "[", i, "].dtype != element_dtype.  Saw: ", dtype_name(list.dtype()), " vs. ",
                            dtype_name(dtype_));
  }
  static Status check_same_shape(int64_t i, const PartialShape& a, const PartialShape& b) {
    if (a == b) return Status();
    return invalid_argument("input_a and input_b TensorList element shapes are not identical at index ", i, ".  Saw ",
                            a.to_string(), " vs. ", b.to_string());
  }

  const DType dtype_;
};

Status push_batch_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  PartialShape values;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 1, &values));
  TINYTF_ASSIGN_OR_RETURN(const int64_t size, merge_dims(values.dim(0), c.input(0).dim(0)));
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape,
                          known_element_shape(c, 0, "Trying to push to list with wrong element dtype. List has type ",
                                              " but trying to push element with type "));
  set_list_shape(c, 0, std::move(shape));
  c.set_output(0, PartialShape::vector(size));
  return Status();
}

Status check_known_dtype(const ShapeContext& c, const char* input, const HandleInfo& info) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (info.dtype == dtype) return Status();
  return invalid_argument(input, ".type != element_dtype: ", dtype_name(info.dtype), " vs. ", dtype_name(dtype));
}

Status concat_lists_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape handles, c.input(0).merge(c.input(1)));
  const HandleInfo* a = c.input_handle(0) != nullptr ? c.input_handle(0) : c.input_handle(1);
  const HandleInfo* b = c.input_handle(1) != nullptr ? c.input_handle(1) : a;
  PartialShape shape;
  if (a != nullptr) {
    TINYTF_RETURN_IF_ERROR(check_known_dtype(c, "input_a", *a));
    TINYTF_RETURN_IF_ERROR(check_known_dtype(c, "input_b", *b));
    TINYTF_ASSIGN_OR_RETURN(shape, a->shape.merge(b->shape));
  }
  set_list_shape(c, 0, std::move(shape));
  c.set_output(0, std::move(handles));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_batch) {
  using namespace tinytf::ops;
  ops.op("TensorListPushBackBatch")
      .input("input_handles: variant")
      .input("tensor: element_dtype")
      .output("output_handles: variant")
      .attr("element_dtype: type")
      .shape(push_batch_shape)
      .not_differentiable()
      .doc("Appends an element to each list in the vector `input_handles`: row i of `tensor` to list i.");
  kernels.add<TensorListPushBackBatchKernel>("TensorListPushBackBatch").where("element_dtype", list_elements());

  ops.op("TensorListConcatLists")
      .input("input_a: variant")
      .input("input_b: variant")
      .output("output: variant")
      .attr("element_dtype: type")
      .shape(concat_lists_shape)
      .not_differentiable()
      .doc("Concatenates the lists in `input_a` with the lists in `input_b`, pair by pair. Elements are not copied.");
  kernels.add<TensorListConcatListsKernel>("TensorListConcatLists");
}
