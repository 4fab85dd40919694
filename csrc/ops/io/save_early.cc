#include <algorithm>
#include <numeric>
#include <vector>

#include "io/early_checkpoint_writer.h"
#include "op/registration.h"
#include "ops/io/shared/checkpoint_inputs.h"
#include "ops/io/shared/checkpoint_shapes.h"

namespace tinytf::ops {
namespace {

/// Kernel of Save, and of SaveSlices, which has one more input.
class SaveEarlyKernel final : public Kernel {
 public:
  explicit SaveEarlyKernel(KernelInit& init) : has_slices_(init.node().op->name == "SaveSlices") {}

  Status compute(KernelContext& ctx) override {
    const Tensor& filename = ctx.input(0);
    const Tensor& names = ctx.input(1);
    const int fixed = has_slices_ ? 3 : 2;
    if (filename.num_elements() != 1) {
      return invalid_argument("Input 0 (filename) must be a string scalar; got a tensor of ", filename.num_elements(),
                              "elements");
    }
    const int64_t count = names.num_elements();
    if (count != ctx.num_inputs() - fixed) {
      return invalid_argument("Expected totally ", to_string(Size(count) + fixed),
                              " inputs as input #1 (which is a string tensor of saved names) contains ", count,
                              " names, but received ", ctx.num_inputs(), " inputs");
    }
    if (has_slices_ && ctx.input(2).num_elements() != count) {
      return invalid_argument("Expected ", count, " elements for the tensor shapes and slices but got ",
                              ctx.input(2).num_elements());
    }
    EarlyCheckpointWriter writer(*filename.data<std::string>());
    std::vector<int> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return names.data<std::string>()[a] < names.data<std::string>()[b]; });
    for (const int i : order) {
      const Tensor& value = ctx.input(i + fixed);
      TINYTF_ASSIGN_OR_RETURN(const ShapeAndSlice where, where_of(ctx, i, value));
      TINYTF_RETURN_IF_ERROR(writer.add(names.data<std::string>()[i], where, value));
    }
    return writer.finish();
  }

 private:
  Result<ShapeAndSlice> where_of(const KernelContext& ctx, int i, const Tensor& value) const {
    if (has_slices_ && !ctx.input(2).data<std::string>()[i].empty()) {
      return parse_saved_slice(ctx.input(2).data<std::string>()[i], value);
    }
    return ShapeAndSlice{value.shape(), TensorSlice::whole(value.rank()), value.shape()};
  }

  const bool has_slices_;
};

Status save_shape(ShapeContext& c) { return saved_tensors_shape(c, 1); }
Status early_save_slices_shape(ShapeContext& c) { return saved_tensors_shape(c, 2); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_save_early) {
  using namespace tinytf::ops;
  ops.op("Save")
      .input("filename: string")
      .input("tensor_names: string")
      .input("data: T")
      .attr("T: list(type) >= 1")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(save_shape)
      .not_differentiable()
      .doc("Saves `data` under the names `tensor_names` in one file, in the checkpoint format used before SaveV2.");
  kernels.add<SaveEarlyKernel>("Save");

  ops.op("SaveSlices")
      .input("filename: string")
      .input("tensor_names: string")
      .input("shapes_and_slices: string")
      .input("data: T")
      .attr("T: list(type) >= 1")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(early_save_slices_shape)
      .not_differentiable()
      .doc(
          "Saves `data` as slices of larger tensors in the format of Save. The slices `shapes_and_slices` are written "
          "as for SaveV2.");
  kernels.add<SaveEarlyKernel>("SaveSlices");
}
