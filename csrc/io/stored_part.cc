#include "io/stored_part.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/crc32c.h"
#include "io/byte_order.h"
#include "io/string_bytes.h"

namespace tinytf {

Status StoredPart::check(uint32_t crc) const {
  const uint32_t stored = unmask_crc(entry.masked_crc);
  if (stored == crc) return Status();
  return Status(Code::kDataLoss,
                str_cat("Checksum does not match: stored ", stored, " vs. calculated on the restored bytes ", crc));
}

namespace {

/// Whether a tensor can have so many bytes.
Status check_size(const std::string& key, const BundleEntry& entry) {
  const int64_t elements = entry.shape.num_elements();
  std::string expected;
  if (entry.dtype == DType::kString) {
    if (may_be_strings(entry.size, elements)) return Status();
    expected = str_cat("more, for ", elements, " strings");
  } else {
    const Size size = Size(elements) * static_cast<int64_t>(dtype_size(entry.dtype));
    if (size.ok() && size.value() == entry.size) return Status();
    expected = to_string(size);
  }
  return Status(Code::kDataLoss, str_cat("Invalid size in bundle entry: key ", key, "; stored size ", entry.size,
                                         "; expected size ", expected));
}

}  // namespace

Result<StoredPart> stored_part(const std::string& key, BundleEntry entry, const RandomAccessFile& file, TensorBox box) {
  if (entry.dtype != DType::kString && dtype_size(entry.dtype) == 0) {
    return unimplemented("Tensors of type ", dtype_name(entry.dtype), " cannot be restored: ", key);
  }
  TINYTF_RETURN_IF_ERROR(check_size(key, entry));
  const auto size = static_cast<uint64_t>(entry.size), offset = static_cast<uint64_t>(entry.offset);
  if (entry.offset < 0 || offset > file.size() || size > file.size() - offset) {
    return Status(Code::kOutOfRange, "Read less bytes than requested");
  }
  return StoredPart{std::move(entry), &file, std::move(box)};
}

Status read_scattered(const StoredPart& part, const TensorBox& wanted, bool swap, Tensor& to) {
  constexpr int64_t kBuffer = int64_t{1} << 20;  // a multiple of all elements' sizes
  const auto element = static_cast<int64_t>(dtype_size(part.entry.dtype));
  auto* memory = static_cast<char*>(to.raw());
  std::vector<char> buffer(static_cast<size_t>(std::min(kBuffer, part.entry.size)));
  uint32_t crc = 0;
  SharedRuns runs(part.box, wanted);
  SharedRuns::Run run;
  bool more = runs.next(run);
  for (int64_t at = 0; at < part.entry.size; at += kBuffer) {
    const int64_t bytes = std::min(kBuffer, part.entry.size - at);
    TINYTF_RETURN_IF_ERROR(
        part.file->read(static_cast<uint64_t>(part.entry.offset + at), buffer.data(), static_cast<size_t>(bytes)));
    crc = crc32c(buffer.data(), static_cast<size_t>(bytes), crc);
    if (swap) swap_bytes(buffer.data(), static_cast<size_t>(bytes), part.entry.dtype);
    while (more) {
      const int64_t run_begin = run.from * element, run_end = run_begin + run.count * element;
      const int64_t begin = std::max(run_begin, at), end = std::min(run_end, at + bytes);
      if (begin < end) {
        std::memcpy(memory + run.to * element + (begin - run_begin), buffer.data() + (begin - at),
                    static_cast<size_t>(end - begin));
      }
      if (run_end > at + bytes) break;
      more = runs.next(run);
    }
  }
  return part.check(crc);
}

Status read_strings(const StoredPart& part, const TensorBox& wanted, Tensor& to) {
  TINYTF_ASSIGN_OR_RETURN(Tensor strings, Tensor::allocate(Allocator::process(), DType::kString, part.entry.shape));
  TINYTF_ASSIGN_OR_RETURN(const uint32_t crc, read_strings(*part.file, static_cast<uint64_t>(part.entry.offset),
                                                           static_cast<uint64_t>(part.entry.size), strings));
  TINYTF_RETURN_IF_ERROR(part.check(crc));
  SharedRuns runs(part.box, wanted);
  for (SharedRuns::Run run; runs.next(run);) {
    auto* from = strings.data<std::string>() + run.from;
    std::move(from, from + run.count, to.data<std::string>() + run.to);
  }
  return Status();
}

}  // namespace tinytf
