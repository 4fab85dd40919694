#include "io/variant_bytes.h"

#include "base/crc32c.h"
#include "io/file_range.h"
#include "io/fixed_int.h"
#include "io/table_format.h"

namespace tinytf {

namespace {

/// Adds an element to the checksum, with its length in 8 bytes.
uint32_t crc_with_element(uint32_t crc, std::string_view element) {
  std::string length;
  append_fixed(length, uint64_t{element.size()});
  return crc32c(element.data(), element.size(), crc32c(length.data(), length.size(), crc));
}

uint32_t crc_with_stored(uint32_t crc, std::string_view stored) { return crc32c(stored.data(), stored.size(), crc); }

}  // namespace

Result<uint32_t> append_variants(WritableFile& file, const Tensor& variants, const VariantCodec& codec,
                                 Parallel& parallel) {
  uint32_t crc = 0;
  Status status;
  const auto append = [&](const Variant& variant) -> Status {
    TINYTF_ASSIGN_OR_RETURN(const std::string element, codec.encode(variant));
    std::string bytes;
    append_varint(bytes, element.size());
    TINYTF_RETURN_IF_ERROR(file.append(bytes));
    TINYTF_RETURN_IF_ERROR(file.append(element));
    crc = crc_with_element(crc, element);
    bytes.clear();
    append_fixed(bytes, mask_crc(crc));
    crc = crc_with_stored(crc, bytes);
    return file.append(bytes);
  };
  constexpr double kCost = 10e3;  // Nanoseconds.
  parallel.run_in_order(variants.num_elements(), kCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && status.ok(); ++i) status = append(variants.data<Variant>()[i]);
  });
  TINYTF_RETURN_IF_ERROR(status);
  return crc;
}

Result<uint32_t> read_variants(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, const VariantCodec& codec,
                               Tensor& variants) {
  FileRange from(file, offset, bytes);
  uint32_t crc = 0;
  for (int64_t i = 0; i < variants.num_elements(); ++i) {
    uint64_t length = 0;
    TINYTF_RETURN_IF_ERROR(from.read_varint(length));
    if (length > from.left()) return Status(Code::kDataLoss, "the length of a variant is larger than the stored bytes");
    std::string element(length, '\0');
    TINYTF_RETURN_IF_ERROR(from.read(element.data(), length));
    char stored[4];
    TINYTF_RETURN_IF_ERROR(from.read(stored, sizeof stored));
    crc = crc_with_element(crc, element);
    if (unmask_crc(read_fixed<uint32_t>(stored)) != crc) {
      return Status(Code::kDataLoss, str_cat("The checksum after variant ", i, " does not match: expected ",
                                             unmask_crc(read_fixed<uint32_t>(stored)), " but actual is ", crc));
    }
    crc = crc_with_stored(crc, {stored, sizeof stored});
    TINYTF_ASSIGN_OR_RETURN(variants.data<Variant>()[i], codec.decode(element));
  }
  if (from.left() > 0)
    return Status(Code::kDataLoss, "the lengths of the variants add up to less than the stored bytes");
  return crc;
}

}  // namespace tinytf
