#include "op/registration.h"

namespace tinytf::ops {
namespace {

Status merge_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  return c.with_rank(1, 0);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_merge_checkpoints) {
  using namespace tinytf::ops;
  ops.op("MergeV2Checkpoints")
      .input("checkpoint_prefixes: string")
      .input("destination_prefix: string")
      .attr("delete_old_dirs: bool = true")
      .stateful()
      .trait(Trait::kReadsWorld)
      .trait(Trait::kWritesWorld)
      .shape(merge_shape)
      .not_differentiable()
      .doc(
          "Makes one checkpoint of several, whose data files it takes over. InvalidArgument, and nothing changed, "
          "where two "
          "of them have a tensor of the same name that is not a part of one.");
}
