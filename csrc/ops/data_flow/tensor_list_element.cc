#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

class TensorListPushBackKernel final : public Kernel {
 public:
  explicit TensorListPushBackKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(1);
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    const auto& [dtype, element_shape, max_size] = list->spec();
    if (!element_shape.compatible_with(value.shape())) {
      return invalid_argument("Tried to append a tensor with incompatible shape to a list. Op element shape: ",
                              value.shape().to_string(), " list shape: ", element_shape.to_string());
    }
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, value.dtype()));
    if (max_size >= 0 && list->size() >= max_size) {
      return invalid_argument("Tried to push item into a full list list size: ", list->size(),
                              " max_num_elements: ", max_size);
    }
    TINYTF_ASSIGN_OR_RETURN(TensorList * changed, list_to_change(ctx, *list));
    return changed->push_back(value);
  }
};

class TensorListPopBackKernel final : public Kernel {
 public:
  explicit TensorListPopBackKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, dtype_));
    if (list->size() == 0) return invalid_argument("Trying to pop from an empty list.");
    if (!list->at(list->size() - 1).valid()) {
      TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, input_shape(ctx, 1, *list));
      if (!shape.fully_defined()) {
        return invalid_argument("Trying to read an uninitialized tensor but element_shape is not fully defined.",
                                shape.to_string());
      }
      TINYTF_RETURN_IF_ERROR(set_zeros_output(ctx, 1, shape.to_shape()));
    }
    TINYTF_ASSIGN_OR_RETURN(TensorList * changed, list_to_change(ctx, *list));
    Tensor last = changed->pop_back();
    if (last.valid()) ctx.set_output(1, std::move(last));
    return Status();
  }

 private:
  const DType dtype_;
};

class TensorListGetItemKernel final : public Kernel {
 public:
  explicit TensorListGetItemKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, dtype_));
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, input_scalar(ctx, 1, "index"));
    if (index < 0 || index >= list->size()) {
      return invalid_argument("Trying to access element ", index, " in a list with ", list->size(), " elements.");
    }
    const Tensor& element = list->at(index);
    if (element.valid()) {
      ctx.set_output(0, element);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 2, *list));
    if (!shape.fully_defined()) {
      TINYTF_ASSIGN_OR_RETURN(shape, list->merged_shape(std::move(shape)));
    }
    if (!shape.fully_defined()) {
      return invalid_argument("Trying to read an uninitialized tensor but element_shape is not fully defined: ",
                              shape.to_string(), " and no list element is set.");
    }
    return set_zeros_output(ctx, 0, shape.to_shape());
  }

 private:
  const DType dtype_;
};

class TensorListSetItemKernel final : public Kernel {
 public:
  explicit TensorListSetItemKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(2);
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, value.dtype()));
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, input_scalar(ctx, 1, "index"));
    if (index < 0 || index >= list->size()) {
      return invalid_argument("Trying to modify element ", index, " in a list with ", list->size(), " elements.");
    }
    const PartialShape& element_shape = list->spec().element_shape;
    if (!element_shape.compatible_with(value.shape())) {
      return invalid_argument("Tried to set a tensor with incompatible shape at a list index. Item element shape: ",
                              value.shape().to_string(), " list shape: ", element_shape.to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(TensorList * changed, list_to_change(ctx, *list));
    return changed->set(index, value);
  }
};

constexpr const char* kPushed = "Trying to push to list with wrong element dtype. List has type ";
constexpr const char* kRead = "Trying to read from list with wrong element dtype. List has type ";
constexpr const char* kButPush = " but trying to push element with type ";

Status list_push_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, known_element_shape(c, 0, kPushed, kButPush));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

Status pop_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, known_element_shape(c, 0, kRead, kButPush));
  c.set_output(0, PartialShape::scalar());
  if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(0, *info);
  c.set_output(1, shape);
  return Status();
}

Status get_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape known, expected_element_shape(c, 0));
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, merge_described(c, known, 2));
  c.set_output(0, std::move(shape));
  return Status();
}

Status set_shape(ShapeContext& c) {
  const HandleInfo* info = c.input_handle(0);
  if (info == nullptr) {
    set_list_shape(c, 0, PartialShape());
    return Status();
  }
  TINYTF_RETURN_IF_ERROR(c.input(2).merge(info->shape).status());
  c.set_output(0, PartialShape::scalar());
  c.set_output_handle(0, *info);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_element) {
  using namespace tinytf::ops;
  ops.op("TensorListPushBack")
      .input("input_handle: variant")
      .input("tensor: element_dtype")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .shape(list_push_shape)
      .doc("Appends `tensor` to the list.");
  kernels.add<TensorListPushBackKernel>("TensorListPushBack");

  ops.op("TensorListPopBack")
      .input("input_handle: variant")
      .input("element_shape: int32")
      .output("output_handle: variant")
      .output("tensor: element_dtype")
      .attr("element_dtype: type")
      .shape(pop_shape)
      .doc(
          "Removes the last element from the list and returns it as `tensor`. If the element is not set, `tensor` is "
          "zeros of shape `element_shape`.");
  kernels.add<TensorListPopBackKernel>("TensorListPopBack").where("element_dtype", list_elements());

  ops.op("TensorListGetItem")
      .input("input_handle: variant")
      .input("index: int32")
      .input("element_shape: int32")
      .output("item: element_dtype")
      .attr("element_dtype: type")
      .shape(get_shape)
      .doc(
          "Returns element `index` of the list. If it is not set, returns zeros, whose shape must be known from "
          "`element_shape`, from the list, or from its other elements.");
  kernels.add<TensorListGetItemKernel>("TensorListGetItem").where("element_dtype", list_elements());

  ops.op("TensorListSetItem")
      .input("input_handle: variant")
      .input("index: int32")
      .input("item: element_dtype")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .shape(set_shape)
      .doc("Sets element `index` of the list to `item`.");
  kernels.add<TensorListSetItemKernel>("TensorListSetItem");
}
