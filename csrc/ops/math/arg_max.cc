#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

Status arg_max_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  if (input.rank() <= 1) {
    c.set_output(0, PartialShape::scalar());
    return Status();
  }
  PartialShape output = PartialShape::scalar();
  if (const Tensor* dimension = c.input_tensor(1)) {
    const int64_t value = dimension->int_at(0);
    auto axis = shapes::canonical_axis(value, input.rank());
    if (!axis.ok()) {
      return invalid_argument("Dimension (", value, ") must be in the range [", -input.rank(), ", ", input.rank(),
                              "), where ", input.rank(), " is the number of dimensions in the input.");
    }
    for (int i = 0; i < input.rank(); ++i) {
      if (i != axis.value()) output.add_dim(input.dim(i));
    }
  } else {
    output = PartialShape::unknown_of_rank(input.rank() - 1);
  }
  c.set_output(0, std::move(output));
  return Status();
}

class ArgKernel final : public Kernel {
 public:
  ArgKernel(KernelInit& init, bool largest) : dtype_(init.input_type(0)), dtype_out_(init.output_type(0)) {
    const kernels::ReduceTable& table = kernels::table().reduce;
    loop_ = (largest ? table.arg_max : table.arg_min)[static_cast<int>(dtype_)];
    if (loop_ == nullptr) init.fail(internal_error("no kernel loop for dtype ", dtype_name(dtype_)));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& dimension = ctx.input(1);
    if (dimension.rank() != 0) {
      return invalid_argument("dim must be a scalar, but received tensor of shape: ", dimension.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(const int axis, shapes::canonical_axis(dimension.int_at(0), input.rank()));
    if (input.dim(axis) == 0) {
      return invalid_argument("Reduction axis ", dimension.int_at(0), " is empty in shape ", input.shape().to_string());
    }
    Shape shape = input.shape();
    shape.remove_dim(axis);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    if (output->num_elements() == 0) return Status();
    kernels::run_arg(loop_, dtype_, input.raw(), input.shape().product(0, axis), input.dim(axis),
                     input.shape().product(axis + 1, input.rank()), dtype_out_, output->raw(), ctx.parallel());
    return Status();
  }

 private:
  const DType dtype_;
  const DType dtype_out_;
  kernels::ArgLoop loop_ = nullptr;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_arg_max) {
  const auto declare = [&](const char* name, bool largest, const char* doc) {
    ops.op(name)
        .input("input: T")
        .input("dimension: Tidx")
        .output("output: output_type")
        .attr("T: numbertype")
        .attr("Tidx: {int32, int64} = DT_INT32")
        .attr("output_type: {int32, int64} = DT_INT64")
        .shape(arg_max_shape)
        .doc(doc);
    kernels.add(name, [largest](KernelInit& init) { return std::make_unique<ArgKernel>(init, largest); })
        .where("T", any_of({kReals}));
  };
  declare("ArgMax", true,
          "Finds the index of the largest element of `input` along `dimension`, which may be negative. Of equal "
          "elements it is the first.");
  declare("ArgMin", false,
          "Finds the index of the smallest element of `input` along `dimension`, which may be negative. Of equal "
          "elements it is the first.");
}
