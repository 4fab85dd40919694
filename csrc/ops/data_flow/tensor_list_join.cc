#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

/// Sets output 0 to `count` rows of shape `element_shape`. `lay` adds the elements that are set to a Layout.
template <class Lay>
Status set_rows_output(KernelContext& ctx, int64_t count, const PartialShape& element_shape, Lay lay) {
  Shape shape = element_shape.to_shape();
  shape.insert_dim(0, count);
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
  if (out->num_elements() == 0) return Status();
  Layout layout;
  TINYTF_RETURN_IF_ERROR(lay(layout, out->num_elements() / count));
  layout.write(*out, ctx.parallel());
  return Status();
}

class TensorListStackKernel final : public Kernel {
 public:
  explicit TensorListStackKernel(KernelInit& init)
      : dtype_(init.attr<DType>("element_dtype")), size_(init.int32_attr("num_elements")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, dtype_));
    if (size_ != -1 && list->size() != size_) {
      return invalid_argument("Operation expected a list with ", size_, " elements but got a list with ", list->size(),
                              " elements.");
    }
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 1, *list));
    if (!shape.fully_defined() && list->size() == 0) {
      return invalid_argument("Tried to stack elements of an empty list with non-fully-defined element_shape: ",
                              shape.to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(shape, list->merged_shape(std::move(shape)));
    if (!shape.fully_defined()) {
      return invalid_argument(
          "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: ",
          shape.to_string());
    }
    return set_rows_output(ctx, list->size(), shape, [&](Layout& layout, int64_t row) {
      return list->for_each([&](int64_t i, const Tensor& element) {
        layout.add(i * row, element);
        return Status();
      });
    });
  }

 private:
  const DType dtype_;
  const int32_t size_;
};

class TensorListGatherKernel final : public Kernel {
 public:
  explicit TensorListGatherKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, dtype_));
    const Tensor& indices = ctx.input(1);
    const int64_t count = indices.num_elements();
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 2, *list));
    if (!shape.fully_defined() && count == 0) {
      return invalid_argument("Tried to gather 0-elements from a list with non-fully-defined shape: ",
                              shape.to_string());
    }
    std::vector<Tensor> elements;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t i = indices.int_at(k);
      if (i < 0 || i >= list->size()) {
        return invalid_argument("Index ", i, " out o range; list only has ", list->size(), " elements.");
      }
      elements.push_back(list->at(i));
      if (elements.back().valid()) {
        TINYTF_ASSIGN_OR_RETURN(shape, merge_shapes(shape, elements.back().shape()));
      }
    }
    if (!shape.fully_defined()) {
      return invalid_argument(
          "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: ",
          shape.to_string());
    }
    return set_rows_output(ctx, count, shape, [&](Layout& layout, int64_t row) {
      for (int64_t k = 0; k < count; ++k) {
        if (elements[k].valid()) layout.add(k * row, elements[k]);
      }
      return Status();
    });
  }

 private:
  const DType dtype_;
};

Status list_stack_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape known,
                          known_element_shape(c, 0, "Trying to read from list with wrong element dtype. List has type ",
                                              " but expected type "));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, merge_described(c, known, 1));
  TINYTF_ASSIGN_OR_RETURN(const int32_t size, c.int32_attr("num_elements"));
  c.set_output(0, PartialShape::vector(size).concatenate(shape));
  return Status();
}

Status list_gather_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape known, expected_element_shape(c, 0));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, merge_described(c, known, 2));
  c.set_output(0, c.input(1).concatenate(shape));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_join) {
  using namespace tinytf::ops;
  ops.op("TensorListStack")
      .input("input_handle: variant")
      .input("element_shape: int32")
      .output("tensor: element_dtype")
      .attr("element_dtype: type")
      .attr("num_elements: int = -1")
      .shape(list_stack_shape)
      .doc(
          "Stacks the elements of the list, which must have equal shapes; elements that are not set are zeros. Fails "
          "if the number of elements differs from `num_elements`, unless that is -1.");
  kernels.add<TensorListStackKernel>("TensorListStack").where("element_dtype", list_elements());

  ops.op("TensorListGather")
      .input("input_handle: variant")
      .input("indices: int32")
      .input("element_shape: int32")
      .output("values: element_dtype")
      .attr("element_dtype: type")
      .shape(list_gather_shape)
      .doc(
          "Stacks the elements `indices` of the list, which must have equal shapes; elements that are not set are "
          "zeros.");
  kernels.add<TensorListGatherKernel>("TensorListGather").where("element_dtype", list_elements());
}
