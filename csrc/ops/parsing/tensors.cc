#include "op/registration.h"
#include "ops/parsing/shared/filled_tensor.h"

namespace tinytf::ops {
namespace {

class ParseTensorKernel final : public Kernel {
 public:
  explicit ParseTensorKernel(KernelInit& init) : dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (input.rank() != 0) {
      return invalid_argument("Expected `serialized` to be a scalar, got shape: ", input.shape().to_string());
    }
    const auto& bytes = *input.data<std::string>();
    WireReader fields(bytes);
    while (fields.next()) {
    }
    if (!fields.ok()) return invalid_argument("Could not parse `serialized` as TensorProto: '", bytes, "'");
    auto found = read_tensor_elements(bytes);
    if (!found.ok()) {
      if (found.status().code() == Code::kResourceExhausted) return found.status();
      return invalid_argument("Cannot parse tensor from proto: ", found.status().message());
    }
    const TensorElements& tensor = found.value();
    if (tensor.elements.dtype() != dtype_) {
      return invalid_argument("Type mismatch between parsed tensor (", dtype_name(tensor.elements.dtype()),
                              ") and dtype (", dtype_name(dtype_), ")");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor value, filled_tensor(ctx, tensor));
    ctx.set_output(0, std::move(value));
    return Status();
  }

 private:
  const DType dtype_;
};

class SerializeTensorKernel final : public Kernel {
 public:
  explicit SerializeTensorKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    auto& bytes = *out->data<std::string>();
    bytes.clear();
    WireWriter to(&bytes);
    return write_tensor_memory(to, ctx.input(0));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_tensors) {
  using namespace tinytf::ops;
  ops.op("ParseTensor")
      .input("serialized: string")
      .output("output: out_type")
      .attr("out_type: type")
      .shape(tinytf::shapes::unknown)
      .not_differentiable()
      .endpoint("io.parse_tensor")
      .endpoint("parse_tensor")
      .doc("Returns the value of the serialized TensorProto `serialized`, which must have dtype `out_type`.");
  kernels.add<ParseTensorKernel>("ParseTensor");

  ops.op("SerializeTensor")
      .input("tensor: T")
      .output("serialized: string")
      .attr("T: type")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .endpoint("io.serialize_tensor")
      .endpoint("serialize_tensor")
      .doc("Serializes `tensor` as a TensorProto.");
  kernels.add<SerializeTensorKernel>("SerializeTensor");
}
