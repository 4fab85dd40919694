#include "ops/io/restore_early.h"

#include "op/registration.h"
#include "ops/io/shared/checkpoint_shapes.h"

namespace tinytf::ops {

Status restore_early_tensor(KernelContext& ctx, int i, EarlyCheckpointReader& reader, const std::string& name,
                            const std::string& text) {
  const auto at = reader.tensors().find(name);
  if (at == reader.tensors().end()) {
    return not_found("Tensor name \"", name, "\" not found in checkpoint files ", reader.pattern());
  }
  const EarlyCheckpointReader::Saved& saved = at->second;
  const DType expected = ctx.node().outputs[i].dtype;
  if (saved.dtype != expected) {
    return invalid_argument("Expected to restore a tensor of type ", dtype_name(expected), ", got a tensor of type ",
                            dtype_name(saved.dtype), " instead: tensor_name = ", name);
  }
  ShapeAndSlice wanted{saved.shape, TensorSlice::whole(saved.shape.rank()), saved.shape};
  if (!text.empty()) {
    TINYTF_ASSIGN_OR_RETURN(wanted, parse_shape_and_slice(text));
    if (wanted.shape != saved.shape) {
      return invalid_argument("Shape in shape_and_slice spec does not match the shape in the save file: ",
                              wanted.shape.to_string(), ", save file shape: ", saved.shape.to_string());
    }
  }
  TINYTF_RETURN_IF_ERROR(reader.check(name, saved, wanted.slice));
  TINYTF_ASSIGN_OR_RETURN(Tensor * to, ctx.allocate_output(i, wanted.slice_shape));
  return reader.read(name, saved, wanted.slice, *to);
}

namespace {

/// Kernel of Restore, and of RestoreSlice, which has one more input.
class RestoreEarlyKernel final : public Kernel {
 public:
  explicit RestoreEarlyKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    static constexpr const char* kInputs[] = {"file_pattern", "tensor_name", "shape_and_slice"};
    const std::string* texts[3] = {};
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (ctx.input(i).num_elements() != 1) {
        return invalid_argument("Input ", i, " (", kInputs[i], ") must be a string scalar; got a tensor of ",
                                ctx.input(i).num_elements(), "elements");
      }
      texts[i] = ctx.input(i).data<std::string>();
    }
    TINYTF_ASSIGN_OR_RETURN(const auto reader, EarlyCheckpointReader::open(*texts[0]));
    return restore_early_tensor(ctx, 0, *reader, *texts[1], texts[2] != nullptr ? *texts[2] : std::string());
  }
};

Status restore_slice_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(two_scalars_shape(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  return set_slice_shapes(c, 2);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_restore_early) {
  using namespace tinytf::ops;
  ops.op("Restore")
      .input("file_pattern: string")
      .input("tensor_name: string")
      .output("tensor: dt")
      .attr("dt: type")
      .attr("preferred_shard: int = -1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(two_scalars_shape)
      .not_differentiable()
      .doc("Restores the tensor `tensor_name` from the files of Save that match `file_pattern`.");
  kernels.add<RestoreEarlyKernel>("Restore");

  ops.op("RestoreSlice")
      .input("file_pattern: string")
      .input("tensor_name: string")
      .input("shape_and_slice: string")
      .output("tensor: dt")
      .attr("dt: type")
      .attr("preferred_shard: int = -1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(restore_slice_shape)
      .not_differentiable()
      .doc(
          "Restores the slice `shape_and_slice` of the tensor `tensor_name` from the files of Save that match "
          "`file_pattern`. The slice is written as for RestoreV2.");
  kernels.add<RestoreEarlyKernel>("RestoreSlice");
}
