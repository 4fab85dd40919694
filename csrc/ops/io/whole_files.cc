#include "op/registration.h"
#include "ops/io/checkpoint_shapes.h"

namespace tinytf::ops {
namespace {

Status read_file_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  return tinytf::shapes::scalar(c);
}

Status matching_files_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(0, 1));
  c.set_output(0, PartialShape::vector(kUnknownDim));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_whole_files) {
  using namespace tinytf::ops;
  ops.op("ReadFile")
      .input("filename: string")
      .output("contents: string")
      .trait(Trait::kReadsWorld)
      .shape(read_file_shape)
      .not_differentiable()
      .endpoint("io.read_file")
      .endpoint("read_file")
      .doc("The bytes of a file.");
  ops.op("WriteFile")
      .input("filename: string")
      .input("contents: string")
      .stateful()
      .trait(Trait::kWritesWorld)
      .shape(two_scalars_shape)
      .not_differentiable()
      .endpoint("io.write_file")
      .endpoint("write_file")
      .doc("Writes a file of those bytes, in place of one that is there, and the folders that it is to lie in.");
  ops.op("MatchingFiles")
      .input("pattern: string")
      .output("filenames: string")
      .trait(Trait::kReadsWorld)
      .shape(matching_files_shape)
      .not_differentiable()
      .endpoint("io.matching_files")
      .endpoint("matching_files")
      .doc(
          "The names of the files that match a pattern, or one of several, in alphabetical order. `*` and `?` match no "
          "slash; what stands before the first of them names a folder that must be there.");
}
