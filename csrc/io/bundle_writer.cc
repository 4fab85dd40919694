#include "io/bundle_writer.h"

#include <algorithm>
#include <cstring>

#include "base/crc32c.h"
#include "base/dtype.h"
#include "io/bundle_index_writer.h"
#include "io/durable_scope.h"
#include "io/replaced_checkpoint.h"
#include "io/slice_key.h"
#include "io/string_bytes.h"

namespace tinytf {

namespace {

constexpr int64_t kWrittenPiece = int64_t{1} << 19;  // Bytes; stays in the cache between checksum and write.
constexpr double kWrittenPieceCost = 250e3;          // Nanoseconds.

/// Checksums and writes a copy of each piece, since steps may update the memory of a reference variable meanwhile.
Result<uint32_t> append_memory(WritableFile& file, const Tensor& tensor, Parallel& parallel) {
  const auto* memory = static_cast<const char*>(tensor.raw());
  const auto bytes = static_cast<int64_t>(tensor.bytes());
  const std::unique_ptr<char[]> copy(new char[static_cast<size_t>(std::min(kWrittenPiece, bytes))]);
  uint32_t crc = 0;
  Status status;
  parallel.run_in_order((bytes + kWrittenPiece - 1) / kWrittenPiece, kWrittenPieceCost,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end && status.ok(); ++i) {
                            const auto piece = static_cast<size_t>(std::min(kWrittenPiece, bytes - i * kWrittenPiece));
                            std::memcpy(copy.get(), memory + i * kWrittenPiece, piece);
                            crc = crc32c(copy.get(), piece, crc);
                            status = file.append({copy.get(), piece});
                          }
                        });
  TINYTF_RETURN_IF_ERROR(status);
  return crc;
}

}  // namespace

Result<std::unique_ptr<BundleWriter>> BundleWriter::create(const std::string& prefix, const VariantCodec* codec) {
  TINYTF_RETURN_IF_ERROR(make_folder_of(prefix));
  TINYTF_ASSIGN_OR_RETURN(auto data, AtomicFile::create(data_file_name(prefix, 0, 1)));
  return std::unique_ptr<BundleWriter>(new BundleWriter(prefix, std::move(data), codec));
}

Result<uint32_t> BundleWriter::append(const Tensor& tensor, Parallel& parallel) {
  if (tensor.dtype() == DType::kString) return append_strings(data_->file(), tensor, parallel);
  if (tensor.dtype() == DType::kVariant) return append_variants(data_->file(), tensor, *codec_, parallel);
  return append_memory(data_->file(), tensor, parallel);
}

Status BundleWriter::add(const std::string& key, const Tensor& tensor, Parallel& parallel) {
  if (key.empty())
    return invalid_argument("A tensor cannot be saved under an empty name, which is reserved for the header");
  const bool is_object = tensor.dtype() == DType::kString || (tensor.dtype() == DType::kVariant && codec_ != nullptr);
  if (!is_object && dtype_size(tensor.dtype()) == 0) {
    return unimplemented("Tensors of type ", dtype_name(tensor.dtype()), " cannot be saved: ", key);
  }
  const auto [at, is_new] = entries_.try_emplace(key);
  if (!is_new) return invalid_argument("Adding duplicate key: ", key);
  BundleEntry& entry = at->second;
  entry.dtype = tensor.dtype();
  entry.shape = tensor.shape();
  entry.offset = static_cast<int64_t>(data_->file().written());
  TINYTF_ASSIGN_OR_RETURN(const uint32_t crc, append(tensor, parallel));
  entry.size = static_cast<int64_t>(data_->file().written()) - entry.offset;
  entry.masked_crc = mask_crc(crc);
  return Status();
}

Status BundleWriter::add_slice(const std::string& name, const ShapeAndSlice& where, const Tensor& tensor,
                               Parallel& parallel) {
  if (where.slice_shape == where.shape) return add(name, tensor, parallel);
  if (name.empty()) return add(name, tensor, parallel);  // Which rejects it.
  const auto [at, is_new] = entries_.try_emplace(name);
  BundleEntry& whole = at->second;
  if (is_new) {
    whole.dtype = tensor.dtype();
    whole.shape = where.shape;
  }
  if (whole.slices.empty() && !is_new) return invalid_argument("Adding duplicate key: ", name);
  if (whole.dtype != tensor.dtype() || whole.shape != where.shape) {
    return invalid_argument("Slices of ", name, " have different types or shapes: ", dtype_name(whole.dtype),
                            whole.shape.to_string(), " and ", dtype_name(tensor.dtype()), where.shape.to_string());
  }
  whole.slices.push_back(where.slice);
  return add(slice_key(name, where.slice), tensor, parallel);
}

Status BundleWriter::finish() {
  TINYTF_RETURN_IF_ERROR(data_->close());
  TINYTF_ASSIGN_OR_RETURN(const auto index, AtomicFile::create(index_file_name(prefix_)));
  TINYTF_RETURN_IF_ERROR(write_index(*index, BundleHeader::of(1), entries_));
  TINYTF_ASSIGN_OR_RETURN(const ReplacedCheckpoint before, ReplacedCheckpoint::of(prefix_, 1));
  TINYTF_RETURN_IF_ERROR(data_->keep());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(prefix_));
  TINYTF_RETURN_IF_ERROR(index->keep());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(prefix_));
  before.drop();
  return Status();
}

}  // namespace tinytf
