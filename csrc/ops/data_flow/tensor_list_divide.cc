#include <algorithm>

#include "base/checked.h"
#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

Status check_divisible(const Tensor& tensor) {
  if (tensor.rank() > 0) return Status();
  return invalid_argument("Tensor must be at least a vector, but saw shape: ", tensor.shape().to_string());
}

/// Checks that the rows of the tensor are compatible with the element shape.
Status check_list_rows(const Tensor& tensor, const PartialShape& element_shape) {
  TINYTF_RETURN_IF_ERROR(check_divisible(tensor));
  Shape row = tensor.shape();
  row.remove_dim(0);
  if (element_shape.compatible_with(row)) return Status();
  return invalid_argument("Specified a list with shape ", element_shape.to_string(), " from a tensor with shape ",
                          row.to_string());
}

class TensorListFromTensorKernel final : public Kernel {
 public:
  explicit TensorListFromTensorKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& tensor = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 1));
    TINYTF_RETURN_IF_ERROR(check_list_rows(tensor, shape));
    auto list = make_ref<TensorList>(TensorList::Spec{tensor.dtype(), std::move(shape)});
    for (int64_t i = 0; i < tensor.dim(0); ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(tensor, i));
      TINYTF_RETURN_IF_ERROR(list->push_back(std::move(row)));
    }
    return set_list_output(ctx, std::move(list));
  }
};

class TensorListSplitKernel final : public Kernel {
 public:
  explicit TensorListSplitKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& tensor = ctx.input(0);
    const Tensor& lengths = ctx.input(2);
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 1));
    if (shape.rank() == 0) {
      return invalid_argument("TensorListSplit requires element_shape to be at least of rank 1, but saw: ",
                              shape.to_string());
    }
    TINYTF_RETURN_IF_ERROR(check_divisible(tensor));
    if (!shape.slice(1).compatible_with(PartialShape(tensor.shape()).slice(1))) {
      return invalid_argument("tensor shape ", tensor.shape().to_string(), " is not compatible with element_shape ",
                              shape.to_string());
    }
    if (lengths.rank() != 1) {
      return invalid_argument("Expected lengths to be a vector, received shape: ", lengths.shape().to_string());
    }
    auto list = make_ref<TensorList>(TensorList::Spec{tensor.dtype(), std::move(shape)});
    int64_t begin = 0;
    for (int64_t i = 0; i < lengths.num_elements(); ++i) {
      const int64_t length = lengths.int_at(i);
      if (length < 0) return invalid_argument("Invalid value in lengths: ", length);
      const Size end = Size(begin) + length;
      if (!end.within(begin, tensor.dim(0))) {
        return invalid_argument("Attempting to slice [", begin, ", ", to_string(end), "] from tensor with length ",
                                tensor.dim(0));
      }
      TINYTF_ASSIGN_OR_RETURN(Tensor piece, tensor.rows(begin, end.value()));
      TINYTF_RETURN_IF_ERROR(list->push_back(std::move(piece)));
      begin = end.value();
    }
    if (begin != tensor.dim(0)) {
      return invalid_argument("Unused values in tensor. Length of tensor: ", tensor.dim(0), " Values used: ", begin);
    }
    return set_list_output(ctx, std::move(list));
  }
};

/// Sets element indices[i] of the list, which grows if necessary, to row i of `tensor`.
Status scatter(const Tensor& tensor, const Tensor& indices, TensorList& list) {
  const int64_t count = indices.num_elements();
  std::vector<int64_t> places;  // read only once, because they are checked
  int64_t end = list.size();
  for (int64_t k = 0; k < count; ++k) {
    places.push_back(indices.int_at(k));
    if (places.back() < 0) return invalid_argument("Indices in TensorListScatter must all be non-negative.");
    end = std::max(end, places.back() + 1);
  }
  TINYTF_RETURN_IF_ERROR(list.resize(end));
  for (int64_t k = 0; k < count; ++k) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(tensor, k));
    TINYTF_RETURN_IF_ERROR(list.set(places[k], std::move(row)));
  }
  return Status();
}

/// Kernel of TensorListScatter, and of TensorListScatterV2, which has one more input.
class TensorListScatterKernel final : public Kernel {
 public:
  explicit TensorListScatterKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& tensor = ctx.input(0);
    const Tensor& indices = ctx.input(1);
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 2));
    int64_t size = -1;
    if (ctx.num_inputs() > 3) {
      TINYTF_ASSIGN_OR_RETURN(size, input_scalar(ctx, 3, "num_elements"));
    }
    if (size < -1) return invalid_argument("TensorListScatter expects num_elements >= -1, found: ", size);
    TINYTF_RETURN_IF_ERROR(check_list_rows(tensor, shape));
    if (indices.num_elements() != tensor.dim(0)) {
      return invalid_argument("Invalid number of rows in input tensor. Expected: ", indices.num_elements(),
                              " Actual: ", tensor.dim(0));
    }
    auto list = make_ref<TensorList>(TensorList::Spec{tensor.dtype(), std::move(shape)}, std::max<int64_t>(size, 0));
    for (int64_t k = 0; size >= 0 && k < indices.num_elements(); ++k) {
      const int64_t i = indices.int_at(k);
      if (i < size) continue;
      return invalid_argument("TensorListScatter: Trying to scatter at index ", i, " in list with size ", size);
    }
    TINYTF_RETURN_IF_ERROR(scatter(tensor, indices, *list));
    return set_list_output(ctx, std::move(list));
  }
};

class TensorListScatterIntoExistingListKernel final : public Kernel {
 public:
  explicit TensorListScatterIntoExistingListKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& tensor = ctx.input(1);
    const Tensor& indices = ctx.input(2);
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    if (tensor.dtype() != list->dtype()) {
      return invalid_argument("Invalid data types; input tensor type: ", dtype_name(tensor.dtype()),
                              " list element_type: ", dtype_name(list->dtype()));
    }
    TINYTF_RETURN_IF_ERROR(check_divisible(tensor));
    if (indices.rank() != 1) {
      return invalid_argument("Expected indices to be a vector, but received shape: ", indices.shape().to_string());
    }
    if (indices.dim(0) != tensor.dim(0)) {
      return invalid_argument("Expected len(indices) == tensor.shape[0], but saw: ", indices.dim(0), " vs. ",
                              tensor.dim(0));
    }
    TINYTF_ASSIGN_OR_RETURN(TensorList * changed, list_to_change(ctx, *list));
    return scatter(tensor, indices, *changed);
  }
};

Status from_tensor_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(merge_described(c, c.input(0).slice(1), 1).status());
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, described_shape(c, 1));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

Status list_split_shape(ShapeContext& c) {
  PartialShape tensor;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1, &tensor));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  const PartialShape piece = PartialShape::vector(kUnknownDim).concatenate(tensor.slice(1));
  TINYTF_RETURN_IF_ERROR(merge_described(c, piece, 1).status());
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, described_shape(c, 1));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

Status list_scatter_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, described_shape(c, 2));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

Status scatter_into_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, expected_element_shape(c, 0));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_divide) {
  using namespace tinytf::ops;
  ops.op("TensorListFromTensor")
      .input("tensor: element_dtype")
      .input("element_shape: shape_type")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(from_tensor_shape)
      .doc(
          "Returns a list of the rows of `tensor`, without a copy. Their shape must be compatible with "
          "`element_shape`.");
  kernels.add<TensorListFromTensorKernel>("TensorListFromTensor").where("element_dtype", list_elements());

  ops.op("TensorListSplit")
      .input("tensor: element_dtype")
      .input("element_shape: shape_type")
      .input("lengths: int64")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(list_split_shape)
      .doc(
          "Returns a list of pieces of `tensor`, without a copy: element i has the next `lengths[i]` rows. The lengths "
          "must add up to the number of rows.");
  kernels.add<TensorListSplitKernel>("TensorListSplit").where("element_dtype", list_elements());

  ops.op("TensorListScatter")
      .input("tensor: element_dtype")
      .input("indices: int32")
      .input("element_shape: shape_type")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(list_scatter_shape)
      .doc("Returns a list in which element `indices[i]` is row i of `tensor`; the other elements are not set.");
  kernels.add<TensorListScatterKernel>("TensorListScatter").where("element_dtype", list_elements());

  ops.op("TensorListScatterV2")
      .input("tensor: element_dtype")
      .input("indices: int32")
      .input("element_shape: shape_type")
      .input("num_elements: int32")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(list_scatter_shape)
      .doc(
          "Does the same as TensorListScatter for a list of `num_elements` elements, or of as many as needed if "
          "`num_elements` is -1.");
  kernels.add<TensorListScatterKernel>("TensorListScatterV2").where("element_dtype", list_elements());

  ops.op("TensorListScatterIntoExistingList")
      .input("input_handle: variant")
      .input("tensor: element_dtype")
      .input("indices: int32")
      .output("output_handle: variant")
      .attr("element_dtype: type")
      .shape(scatter_into_shape)
      .doc("Sets element `indices[i]` of the list to row i of `tensor`. The list grows if an index is beyond its end.");
  kernels.add<TensorListScatterIntoExistingListKernel>("TensorListScatterIntoExistingList")
      .where("element_dtype", list_elements());
}
