#include "op/registration.h"
#include "ops/io/checkpoint_shapes.h"

namespace tinytf::ops {
namespace {

Status restore_v2_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_RETURN_IF_ERROR(c.input(1).merge(c.input(2)).status());
  return set_slice_shapes(c, 2);
}

Status restore_slice_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(two_scalars_shape(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  return set_slice_shapes(c, 2);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_restore) {
  using namespace tinytf::ops;
  ops.op("RestoreV2")
      .input("prefix: string")
      .input("tensor_names: string")
      .input("shape_and_slices: string")
      .output("tensors: dtypes")
      .attr("dtypes: list(type) >= 1")
      .stateful()
      .trait(Trait::kReadsWorld)
      .shape(restore_v2_shape)
      .not_differentiable()
      .doc(
          "The tensors of these names in a checkpoint, or the parts of them that `shape_and_slices` names. NotFound "
          "for a "
          "name that is not in it, InvalidArgument for another dtype or shape than was saved, DataLoss for damaged "
          "files. "
          "Reads checkpoints of Save, too.");
  ops.op("Restore")
      .input("file_pattern: string")
      .input("tensor_name: string")
      .output("tensor: dt")
      .attr("dt: type")
      .attr("preferred_shard: int = -1")
      .stateful()
      .trait(Trait::kReadsWorld)
      .shape(two_scalars_shape)
      .not_differentiable()
      .doc("The tensor of that name in the files of Save that match `file_pattern`.");
  ops.op("RestoreSlice")
      .input("file_pattern: string")
      .input("tensor_name: string")
      .input("shape_and_slice: string")
      .output("tensor: dt")
      .attr("dt: type")
      .attr("preferred_shard: int = -1")
      .stateful()
      .trait(Trait::kReadsWorld)
      .shape(restore_slice_shape)
      .not_differentiable()
      .doc("Restore for a part of a tensor, named as for RestoreV2.");
}
