#include "op/registration.h"
#include "ops/io/checkpoint_shapes.h"

namespace tinytf::ops {
namespace {

Status save_shape(ShapeContext& c) { return saved_tensors_shape(c, 1); }
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
      .trait(Trait::kWritesWorld)
      .shape(save_slices_shape)
      .not_differentiable()
      .doc(
          "Saves the tensors under their names in a checkpoint of one data file and an index, which comes last, so "
          "that "
          "the checkpoint is there as a whole or not at all. An entry of `shape_and_slices` is empty, or says of which "
          "part of a larger tensor the value is: \"5 2 0,3:-\".");
  ops.op("Save")
      .input("filename: string")
      .input("tensor_names: string")
      .input("data: T")
      .attr("T: list(type) >= 1")
      .stateful()
      .trait(Trait::kWritesWorld)
      .shape(save_shape)
      .not_differentiable()
      .doc("Saves the tensors under their names in one file of the format that checkpoints had before SaveV2.");
  ops.op("SaveSlices")
      .input("filename: string")
      .input("tensor_names: string")
      .input("shapes_and_slices: string")
      .input("data: T")
      .attr("T: list(type) >= 1")
      .stateful()
      .trait(Trait::kWritesWorld)
      .shape(save_slices_shape)
      .not_differentiable()
      .doc("Save for parts of larger tensors, named as for SaveV2.");
}
