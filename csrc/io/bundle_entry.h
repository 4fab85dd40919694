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

// What the index of a checkpoint says: BundleHeaderProto and BundleEntryProto.

struct BundleHeader {
  int32_t data_files = 0;
  bool big_endian = false;
  std::string version;  ///< a VersionDef, as it is written

  /// Of what this program writes.
  static BundleHeader of(int32_t data_files);
  std::string bytes() const;
  /// InvalidArgument for versions that this program may not read.
  static Result<BundleHeader> parse(std::string_view bytes);
};

/// A tensor in a data file; or, if it has slices, of what shape the tensor is that they are parts of.
struct BundleEntry {
  DType dtype = DType::kInvalid;
  Shape shape;
  int32_t data_file = 0;
  int64_t offset = 0;
  int64_t size = 0;
  uint32_t masked_crc = 0;
  std::vector<TensorSlice> slices;

  std::string bytes() const;
  /// Of the entry under `key`. DataLoss for what no tensor can have.
  static Result<BundleEntry> parse(std::string_view bytes, const std::string& key);
};

/// Of a VersionDef, as it is written: InvalidArgument where a program of this version may not read the checkpoint.
Status check_checkpoint_version(std::string_view version);

/// "PREFIX.index", "PREFIX.data-00000-of-00001".
std::string index_file_name(const std::string& prefix);
std::string data_file_name(const std::string& prefix, int32_t i, int32_t of);

}  // namespace tinytf
