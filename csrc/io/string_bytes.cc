#include "io/string_bytes.h"

#include <vector>

#include "base/crc32c.h"
#include "io/file_range.h"
#include "io/fixed_int.h"
#include "io/table_format.h"

namespace tinytf {

namespace {

/// Adds a length to the checksum: in 4 bytes, or in 8 if it needs more.
uint32_t crc_with_length(uint64_t length, uint32_t crc) {
  std::string bytes;
  if (length <= UINT32_MAX) {
    append_fixed(bytes, static_cast<uint32_t>(length));
  } else {
    append_fixed(bytes, length);
  }
  return crc32c(bytes.data(), bytes.size(), crc);
}

}  // namespace

Result<uint32_t> append_strings(WritableFile& file, const Tensor& strings, Parallel& parallel) {
  const int64_t count = strings.num_elements();
  const auto* texts = strings.data<std::string>();
  uint32_t crc = 0;
  Status status;
  std::string bytes;
  constexpr double kCost = 20;  // Nanoseconds, without the write itself.
  parallel.run_in_order(count, kCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && status.ok(); ++i) {
      crc = crc_with_length(texts[i].size(), crc);
      bytes.clear();
      append_varint(bytes, texts[i].size());
      status = file.append(bytes);
    }
  });
  TINYTF_RETURN_IF_ERROR(status);
  bytes.clear();
  append_fixed(bytes, mask_crc(crc));
  crc = crc32c(bytes.data(), bytes.size(), crc);
  TINYTF_RETURN_IF_ERROR(file.append(bytes));
  parallel.run_in_order(count, kCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && status.ok(); ++i) {
      crc = crc32c(texts[i].data(), texts[i].size(), crc);
      status = file.append(texts[i]);
    }
  });
  TINYTF_RETURN_IF_ERROR(status);
  return crc;
}

Result<uint32_t> read_strings(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, Tensor& strings) {
  const int64_t count = strings.num_elements();
  FileRange from(file, offset, bytes);
  std::vector<uint64_t> lengths;
  uint32_t crc = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t length = 0;
    TINYTF_RETURN_IF_ERROR(from.read_varint(length));
    crc = crc_with_length(length, crc);
    lengths.push_back(length);
  }
  char stored[4];
  TINYTF_RETURN_IF_ERROR(from.read(stored, sizeof stored));
  const uint32_t expected = unmask_crc(read_fixed<uint32_t>(stored));
  if (expected != crc) {
    return Status(Code::kDataLoss,
                  str_cat("The length checksum does not match: expected ", expected, " but actual is ", crc));
  }
  crc = crc32c(stored, sizeof stored, crc);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t length = lengths[static_cast<size_t>(i)];
    if (length > from.left())
      return Status(Code::kDataLoss, "the lengths of the strings add up to more than the stored bytes");
    std::string& text = strings.data<std::string>()[i];
    text.resize(length);
    TINYTF_RETURN_IF_ERROR(from.read(text.data(), length));
    crc = crc32c(text.data(), length, crc);
  }
  if (from.left() > 0)
    return Status(Code::kDataLoss, "the lengths of the strings add up to less than the stored bytes");
  return crc;
}

}  // namespace tinytf
