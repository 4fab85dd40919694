#include "io/bundle_writer.h"
#include "op/registration.h"
#include "ops/io/shared/checkpoint_inputs.h"
#include "ops/io/shared/checkpoint_shapes.h"
#include "ops/io/shared/variant_codec.h"

namespace tinytf::ops {
namespace {

class SaveV2Kernel final : public Kernel {
 public:
  explicit SaveV2Kernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_checkpoint_inputs(ctx));
    constexpr int kFixed = 3;
    const Tensor& names = ctx.input(1);
    if (names.num_elements() != ctx.num_inputs() - kFixed) {
      return invalid_argument("Got ", names.num_elements(), " tensor names but ", ctx.num_inputs() - kFixed,
                              " tensors.");
    }
    TINYTF_ASSIGN_OR_RETURN(const auto writer,
                            BundleWriter::create(*ctx.input(0).data<std::string>(), &variant_codec()));
    for (int i = 0; i + kFixed < ctx.num_inputs(); ++i) {
      if (ctx.is_over()) return Status(Code::kCancelled, "The step ended before the checkpoint was completely written");
      const std::string& name = names.data<std::string>()[i];
      const std::string& text = ctx.input(2).data<std::string>()[i];
      const Tensor& tensor = ctx.input(i + kFixed);
      if (text.empty()) {
        TINYTF_RETURN_IF_ERROR(writer->add(name, tensor, ctx.parallel()));
      } else {
        TINYTF_ASSIGN_OR_RETURN(const ShapeAndSlice where, parse_saved_slice(text, tensor));
        TINYTF_RETURN_IF_ERROR(writer->add_slice(name, where, tensor, ctx.parallel()));
      }
    }
    return writer->finish();
  }
};

Status save_slices_shape(ShapeContext& c) { return saved_tensors_shape(c, 2); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_save) {
  using namespace tinytf::ops;
  ops.op("SaveV2")
      .input("prefix: string")
      .input("tensor_names: string")
      .input("shape_and_slices: string")
      .input("tensors: dtypes")
      .attr("dtypes: list(type) >= 1")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(save_slices_shape)
      .not_differentiable()
      .doc(
          "Saves `tensors` under the names `tensor_names` in a checkpoint of one data file and an index. The index is "
          "written last, so that the checkpoint is complete or does not exist. Each entry of `shape_and_slices` is "
          "empty, or describes the slice of a larger tensor that the value is, for example \"5 2 0,3:-\".");
  kernels.add<SaveV2Kernel>("SaveV2");
}
