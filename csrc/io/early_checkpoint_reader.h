#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "io/table.h"
#include "io/tensor_slice.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Reads tensors of checkpoints of the early format (`io/early_checkpoint_writer.h`), from all files that match a
/// pattern or a name. The files may be damaged or hostile. One thread at a time.
class EarlyCheckpointReader {
 public:
  struct Slice {
    TensorSlice slice;
    size_t file;
  };
  struct Saved {
    DType dtype = DType::kInvalid;
    Shape shape;
    std::vector<Slice> slices;
  };

  /// NotFound if no file matches, InvalidArgument if the folder cannot be read, DataLoss for files of another format.
  static Result<std::unique_ptr<EarlyCheckpointReader>> open(const std::string& pattern);

  const std::string& pattern() const { return pattern_; }
  const std::map<std::string, Saved>& tensors() const { return tensors_; }

  /// Whether the files contain all of a slice, judging by sizes. Call it before allocating memory for the slice.
  /// InvalidArgument, DataLoss.
  Status check(const std::string& name, const Saved& saved, const TensorSlice& slice);
  /// Fills `to`, a tensor of the saved dtype and the slice's shape.
  Status read(const std::string& name, const Saved& saved, const TensorSlice& slice, Tensor& to);

 private:
  struct File {
    std::string name;
    TableCursor cursor;
  };

  explicit EarlyCheckpointReader(std::string pattern) : pattern_(std::move(pattern)) {}
  Status add_file(const std::string& name);
  Status add_meta(std::string_view meta, size_t file);
  Status add_tensor(std::string_view meta, size_t file);
  /// Returns the serialized TensorProto of a slice, if it is large enough for that many elements; valid until its
  /// file's cursor moves.
  Result<std::string_view> stored_value(const std::string& name, const Slice& slice, int64_t elements);
  Result<Tensor> value_of(const std::string& name, const Saved& saved, const Slice& slice);

  const std::string pattern_;
  std::vector<File> files_;
  std::map<std::string, Saved> tensors_;
};

}  // namespace tinytf
