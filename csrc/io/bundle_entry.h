#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/status.h"
#include "io/tensor_slice.h"
#include "tensor/shape.h"

namespace tinytf {

// Contents of a checkpoint's index: BundleHeaderProto and BundleEntryProto.

struct BundleHeader {
  int32_t data_files = 0;
  bool big_endian = false;
  std::string version;  ///< A serialized VersionDef.

  /// The header that this program writes.
  static BundleHeader of(int32_t data_files);
  std::string bytes() const;
  /// InvalidArgument for versions that this program may not read.
  static Result<BundleHeader> parse(std::string_view bytes);
};

/// Location of a tensor in a data file; or, if it has slices, the shape of the whole tensor and the list of its slices.
struct BundleEntry {
  DType dtype = DType::kInvalid;
  Shape shape;
  int32_t data_file = 0;
  int64_t offset = 0;
  int64_t size = 0;
  uint32_t masked_crc = 0;
  std::vector<TensorSlice> slices;

  std::string bytes() const;
  /// Parses the entry under `key`. DataLoss for malformed bytes and for values that no tensor can have.
  static Result<BundleEntry> parse(std::string_view bytes, const std::string& key);
};

/// Checks a serialized VersionDef. InvalidArgument if this program may not read the checkpoint.
Status check_checkpoint_version(std::string_view version);

/// "PREFIX.index", "PREFIX.data-00000-of-00001".
std::string index_file_name(const std::string& prefix);
std::string data_file_name(const std::string& prefix, int32_t i, int32_t of);

}  // namespace tinytf
