#include <algorithm>
#include <vector>

#include "io/file.h"
#include "io/file_system.h"
#include "io/local_path.h"
#include "op/registration.h"
#include "ops/io/shared/checkpoint_shapes.h"

namespace tinytf::ops {
namespace {

/// The string scalar in input i; the error has TensorFlow's text.
Result<const std::string*> scalar_text(const KernelContext& ctx, int i) {
  const Tensor& input = ctx.input(i);
  if (input.rank() == 0) return input.data<std::string>();
  return invalid_argument("Input ", ctx.node().op->inputs[static_cast<size_t>(i)].name,
                          " tensor must be scalar, but had shape: ", input.shape().to_string());
}

class ReadFileKernel final : public Kernel {
 public:
  explicit ReadFileKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    // Constant folding runs once for all steps, under the graph's lock, so it must not read files.
    if (ctx.step().step_id == 0) return failed_precondition("Files can only be read while a step runs");
    TINYTF_ASSIGN_OR_RETURN(const std::string* name, scalar_text(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * contents, ctx.allocate_output(0, Shape()));
    TINYTF_ASSIGN_OR_RETURN(*contents->data<std::string>(), read_file(*name));
    return Status();
  }
};

class WriteFileKernel final : public Kernel {
 public:
  explicit WriteFileKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string* name, scalar_text(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string* contents, scalar_text(ctx, 1));
    TINYTF_RETURN_IF_ERROR(make_folders(std::string(folder_of(*name))));
    return write_file(*name, *contents);
  }
};

class MatchingFilesKernel final : public Kernel {
 public:
  explicit MatchingFilesKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    if (ctx.step().step_id == 0) return failed_precondition("Files can only be listed while a step runs");
    const Tensor& patterns = ctx.input(0);
    if (patterns.rank() > 1) {
      return invalid_argument("Input patterns tensor must be scalar or vector, but had shape: ",
                              patterns.shape().to_string());
    }
    std::vector<std::string> all;
    for (int64_t i = 0; i < patterns.num_elements(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(auto found, matching_files(patterns.data<std::string>()[i]));
      std::move(found.begin(), found.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end());
    TINYTF_ASSIGN_OR_RETURN(Tensor * names, ctx.allocate_output(0, Shape({static_cast<int64_t>(all.size())})));
    std::move(all.begin(), all.end(), names->data<std::string>());
    return Status();
  }
};

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
      .trait(Trait::kReadsExternalState)
      .shape(read_file_shape)
      .not_differentiable()
      .endpoint("io.read_file")
      .endpoint("read_file")
      .doc("Returns the contents of the file `filename`.");
  kernels.add<ReadFileKernel>("ReadFile");

  ops.op("WriteFile")
      .input("filename: string")
      .input("contents: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(two_scalars_shape)
      .not_differentiable()
      .endpoint("io.write_file")
      .endpoint("write_file")
      .doc("Writes `contents` to the file `filename`, replacing an existing file and creating missing directories.");
  kernels.add<WriteFileKernel>("WriteFile");

  ops.op("MatchingFiles")
      .input("pattern: string")
      .output("filenames: string")
      .trait(Trait::kReadsExternalState)
      .shape(matching_files_shape)
      .not_differentiable()
      .endpoint("io.matching_files")
      .endpoint("matching_files")
      .doc(
          "Returns the names of the files that match `pattern`, a pattern or several, in alphabetical order. `*` and "
          "`?` do not match a slash; the directory before the first of them must exist.");
  kernels.add<MatchingFilesKernel>("MatchingFiles");
}
