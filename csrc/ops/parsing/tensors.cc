#include <cstring>

#include "io/tensor_proto.h"
#include "op/registration.h"

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
    return set_output(ctx, tensor);
  }

 private:
  /// The last element stands for those that follow; without any, they are zero.
  static Status set_output(KernelContext& ctx, const TensorElements& tensor) {
    const int64_t count = tensor.shape.num_elements(), given = tensor.elements.num_elements();
    if (given == count) {
      ctx.set_output(0, tensor.elements.reshaped(tensor.shape));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, tensor.shape));
    if (given == 0) {
      clear(*out);
      return Status();
    }
    copy_elements(tensor.elements, 0, *out, 0, given);
    ctx.parallel().run(count - given, 1024, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) copy_elements(tensor.elements, given - 1, *out, given + i, 1);
    });
    return Status();
  }

  static void clear(Tensor& out) {
    if (out.dtype() != DType::kString) {
      std::memset(out.raw(), 0, out.bytes());
      return;
    }
    for (int64_t i = 0; i < out.num_elements(); ++i) out.data<std::string>()[i].clear();
  }

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
      .doc("The value of a serialized TensorProto, which must be of type `out_type`.");
  kernels.add<ParseTensorKernel>("ParseTensor");

  ops.op("SerializeTensor")
      .input("tensor: T")
      .output("serialized: string")
      .attr("T: type")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .endpoint("io.serialize_tensor")
      .endpoint("serialize_tensor")
      .doc("The tensor as a serialized TensorProto.");
  kernels.add<SerializeTensorKernel>("SerializeTensor");
}
