#include "base/checked.h"
#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

constexpr const char* kScalars = "Concat requires elements to be at least vectors, found scalars instead.";

Shape list_tail_of(const Shape& shape) {
  Shape tail = shape;
  tail.remove_dim(0);
  return tail;
}

/// Kernel of TensorListConcat, and of TensorListConcatV2, which has two more inputs.
class TensorListConcatKernel final : public Kernel {
 public:
  explicit TensorListConcatKernel(KernelInit& init)
      : dtype_(init.attr<DType>("element_dtype")), has_inputs_(init.node().inputs.size() > 1) {
    if (has_inputs_) return;
    const auto shape = init.attr<PartialShape>("element_shape");
    if (shape.rank() == 0) init.fail(invalid_argument(kScalars));
    tail_ = shape.slice(1);
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_dtype(*list, dtype_));
    PartialShape tail = tail_;  // shape of all elements without their first dimension
    int64_t first = kUnknownDim;
    if (has_inputs_) {
      TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, input_shape(ctx, 1, *list));
      if (shape.rank() == 0) return invalid_argument(kScalars);
      first = shape.dim(0);
      tail = shape.slice(1);
    }
    if (list->size() == 0 && !tail.fully_defined()) {
      return invalid_argument(
          "All except the first dimension must be fully defined when concating an empty tensor list. element_shape: ",
          tail.to_string());
    }
    if (!list->spec().element_shape.fully_defined()) TINYTF_RETURN_IF_ERROR(look_at(*list, &first, &tail));
    if (!tail.fully_defined()) {
      return invalid_argument(
          "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim_ is not fully "
          "defined: ",
          tail.to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * lengths, ctx.allocate_output(1, Shape({list->size()})));
    Size total = 0;
    for (int64_t i = 0; i < list->size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(const int64_t length, length_of(ctx, *list, i, first, tail));
      lengths->data<int64_t>()[i] = length;
      total += length;
    }
    Shape shape = tail.to_shape();
    shape.insert_dim(0, total.value());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() > 0) join(*list, *lengths, *out, ctx.parallel());
    return Status();
  }

 private:
  static Status check_rank(int64_t i, const Shape& shape) {
    if (shape.rank() > 0) return Status();
    return invalid_argument("Concat saw a scalar shape at index ", i, " but requires at least vectors.");
  }

  /// Merges the shapes of the elements into `tail`. If `first` is unknown and all elements that are set have the same
  /// first dimension, sets it to that.
  static Status look_at(const TensorList& list, int64_t* first, PartialShape* tail) {
    int64_t common = *first;
    bool differ = false;
    TINYTF_RETURN_IF_ERROR(list.for_each([&](int64_t i, const Tensor& element) {
      TINYTF_RETURN_IF_ERROR(check_rank(i, element.shape()));
      TINYTF_ASSIGN_OR_RETURN(*tail, merge_shapes(*tail, list_tail_of(element.shape())));
      const int64_t rows = element.dim(0);
      if (*first != kUnknownDim && rows != *first) {
        return invalid_argument(
            "First entry of element_shape input does not match the first dim of list element at index: ", i,
            " Expected: ", *first, " Actual: ", rows);
      }
      differ = differ || (common != kUnknownDim && common != rows);
      common = rows;
      return Status();
    }));
    *first = differ ? kUnknownDim : common;
    return Status();
  }

  /// Number of rows of element i; if it is not set, from `first` or from input leading_dims.
  Result<int64_t> length_of(const KernelContext& ctx, const TensorList& list, int64_t i, int64_t first,
                            const PartialShape& tail) const {
    const Tensor& element = list.at(i);
    if (element.valid()) {
      TINYTF_RETURN_IF_ERROR(check_rank(i, element.shape()));
      TINYTF_RETURN_IF_ERROR(merge_shapes(tail, list_tail_of(element.shape())).status());
      return element.dim(0);
    }
    const int64_t known = has_inputs_ ? ctx.input(2).num_elements() : 0;
    if (i >= known && first != kUnknownDim) return first;
    if (!has_inputs_) {
      return invalid_argument(
          "Concating lists with uninitialized tensors is not supported in this version of TensorListConcat. Consider "
          "updating your GraphDef to run the newer version.");
    }
    if (i >= known) {
      return invalid_argument("List contains uninitialized tensor at index ", i, " but leading_dims has only ", known,
                              " elements.");
    }
    const int64_t length = ctx.input(2).int_at(i);
    if (length < 0) return invalid_argument("leading_dims must not be negative, but element ", i, " is ", length);
    return length;
  }

  static void join(const TensorList& list, const Tensor& lengths, Tensor& out, Parallel& parallel) {
    const int64_t row = out.num_elements() / out.dim(0);
    Layout layout;
    Size begin = 0;
    for (int64_t i = 0; i < list.size(); ++i) {
      if (list.at(i).valid()) layout.add(begin.value(), list.at(i));
      begin += Size(lengths.int_at(i)) * row;
    }
    layout.write(out, parallel);
  }

  const DType dtype_;
  const bool has_inputs_;
  PartialShape tail_;
};

Status concat_shape_of(ShapeContext& c, const PartialShape& described) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape known,
                          known_element_shape(c, 0, "Trying to read from list with wrong element dtype. List has type ",
                                              " but expected type "));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, described.merge(known));
  c.set_output(0, PartialShape::vector(kUnknownDim).concatenate(shape.slice(1)));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  return Status();
}

Status list_concat_shape(ShapeContext& c) { return concat_shape_of(c, c.attr<PartialShape>("element_shape")); }

Status concat_v2_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(concat_shape_of(c, described_rank(c, 1)));  // messages show only the requested shape
  TINYTF_ASSIGN_OR_RETURN(const PartialShape described, described_shape(c, 1));
  return concat_shape_of(c, described);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_concat) {
  using namespace tinytf::ops;
  ops.op("TensorListConcat")
      .input("input_handle: variant")
      .output("tensor: element_dtype")
      .output("lengths: int64")
      .attr("element_dtype: type")
      .attr("element_shape: shape = {unknown_rank}")
      .shape(list_concat_shape)
      .ignores_gradient("lengths")
      .doc(
          "Concatenates all elements of the list along their first dimension as `tensor`, and returns the number of "
          "rows of each as `lengths`. Their other dimensions must be equal.");
  kernels.add<TensorListConcatKernel>("TensorListConcat").where("element_dtype", list_elements());

  ops.op("TensorListConcatV2")
      .input("input_handle: variant")
      .input("element_shape: shape_type")
      .input("leading_dims: int64")
      .output("tensor: element_dtype")
      .output("lengths: int64")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(concat_v2_shape)
      .ignores_gradient("lengths")
      .doc(
          "Does the same as TensorListConcat for lists with elements that are not set. Such an element i is zeros with "
          "`leading_dims[i]` rows, or if there is no such entry with as many rows as all the others have.");
  kernels.add<TensorListConcatKernel>("TensorListConcatV2").where("element_dtype", list_elements());
}
