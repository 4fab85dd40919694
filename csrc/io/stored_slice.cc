#include "io/stored_slice.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/crc32c.h"
#include "io/byte_order.h"
#include "io/string_bytes.h"

namespace tinytf {

Status StoredSlice::check(uint32_t crc) const {
  const uint32_t stored = unmask_crc(entry.masked_crc);
  if (stored == crc) return Status();
  return Status(Code::kDataLoss,
                str_cat("Checksum does not match: stored ", stored, " vs. calculated on the restored bytes ", crc));
}

namespace {

/// DataLoss unless a tensor of that dtype and shape can have that many bytes.
Status check_size(const std::string& key, const BundleEntry& entry) {
  const int64_t elements = entry.shape.num_elements();
  std::string expected;
  if (entry.dtype == DType::kString || entry.dtype == DType::kVariant) {
    const bool fits =
        entry.dtype == DType::kString ? may_be_strings(entry.size, elements) : may_be_variants(entry.size, elements);
    if (fits) return Status();
    expected = str_cat("large enough for ", elements, " elements");
  } else {
    const Size size = Size(elements) * static_cast<int64_t>(dtype_size(entry.dtype));
    if (size.ok() && size.value() == entry.size) return Status();
    expected = to_string(size);
  }
  return Status(Code::kDataLoss, str_cat("Invalid size in bundle entry: key ", key, "; stored size ", entry.size,
                                         "; expected size ", expected));
}

}  // namespace

Result<StoredSlice> stored_slice(const std::string& key, BundleEntry entry, const RandomAccessFile& file,
                                 TensorBox box) {
  if (entry.dtype != DType::kString && entry.dtype != DType::kVariant && dtype_size(entry.dtype) == 0) {
    return unimplemented("Tensors of type ", dtype_name(entry.dtype), " cannot be restored: ", key);
  }
  TINYTF_RETURN_IF_ERROR(check_size(key, entry));
  const auto size = static_cast<uint64_t>(entry.size), offset = static_cast<uint64_t>(entry.offset);
  if (entry.offset < 0 || offset > file.size() || size > file.size() - offset) {
    const uint64_t end = entry.offset < 0 ? size : offset + size;
    return Status(Code::kOutOfRange, str_cat("Read less bytes than requested: ", file.path(), " ends at byte ",
                                             file.size(), ", and ", key, " would end at ", end));
  }
  return StoredSlice{std::move(entry), &file, std::move(box)};
}

Status read_scattered(const StoredSlice& part, const TensorBox& wanted, bool swap, Tensor& to) {
  constexpr int64_t kBuffer = int64_t{1} << 20;  // A multiple of all element sizes.
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

namespace {

template <class T>
void move_shared(const StoredSlice& part, const TensorBox& wanted, Tensor& from, Tensor& to) {
  SharedRuns runs(part.box, wanted);
  for (SharedRuns::Run run; runs.next(run);) {
    T* first = from.data<T>() + run.from;
    std::move(first, first + run.count, to.data<T>() + run.to);
  }
}

}  // namespace

Status read_objects(const StoredSlice& part, const TensorBox& wanted, const VariantCodec* codec, Tensor& to) {
  const BundleEntry& entry = part.entry;
  const bool is_text = entry.dtype == DType::kString;
  const auto offset = static_cast<uint64_t>(entry.offset), size = static_cast<uint64_t>(entry.size);
  TINYTF_ASSIGN_OR_RETURN(Tensor objects, Tensor::allocate(Allocator::process(), entry.dtype, entry.shape));
  TINYTF_ASSIGN_OR_RETURN(const uint32_t crc, is_text ? read_strings(*part.file, offset, size, objects)
                                                      : read_variants(*part.file, offset, size, *codec, objects));
  TINYTF_RETURN_IF_ERROR(part.check(crc));
  if (is_text) {
    move_shared<std::string>(part, wanted, objects, to);
  } else {
    move_shared<Variant>(part, wanted, objects, to);
  }
  return Status();
}

}  // namespace tinytf
