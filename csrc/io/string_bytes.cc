#include "io/string_bytes.h"

#include <algorithm>
#include <vector>

#include "base/crc32c.h"
#include "io/fixed.h"
#include "io/table_format.h"
#include "io/wire.h"

namespace tinytf {

namespace {

/// The checksum counts a length in 4 bytes, and one that needs more in 8.
uint32_t crc_with_length(uint64_t length, uint32_t crc) {
  std::string bytes;
  if (length <= UINT32_MAX) {
    append_fixed(bytes, static_cast<uint32_t>(length));
  } else {
    append_fixed(bytes, length);
  }
  return crc32c(bytes.data(), bytes.size(), crc);
}

/// A stretch of a file, from its front to its end.
class Stretch {
 public:
  Stretch(const RandomAccessFile& file, uint64_t offset, uint64_t bytes) : file_(file), next_(offset), left_(bytes) {}

  uint64_t left() const { return left_ + (buffer_.size() - at_); }

  Status read(char* to, uint64_t bytes) {
    if (bytes > left()) return Status(Code::kOutOfRange, "Read less bytes than requested");
    const size_t here = static_cast<size_t>(std::min<uint64_t>(bytes, buffer_.size() - at_));
    buffer_.copy(to, here, at_);
    at_ += here;
    if (here == bytes) return Status();
    if (bytes - here >= kBuffer) return fetch(to + here, static_cast<size_t>(bytes - here));
    TINYTF_RETURN_IF_ERROR(fill());
    return read(to + here, bytes - here);
  }

  /// DataLoss if there is no number.
  Status read_varint(uint64_t& value) {
    if (buffer_.size() - at_ < 10 && left_ > 0) TINYTF_RETURN_IF_ERROR(fill());
    std::string_view rest = std::string_view(buffer_).substr(at_);
    if (!take_varint(rest, value)) return Status(Code::kDataLoss, "the length of a string is damaged");
    at_ = buffer_.size() - rest.size();
    return Status();
  }

 private:
  static constexpr size_t kBuffer = size_t{256} << 10;

  Status fetch(char* to, size_t bytes) {
    TINYTF_RETURN_IF_ERROR(file_.read(next_, to, bytes));
    next_ += bytes;
    left_ -= bytes;
    return Status();
  }
  /// Has more in the buffer, if there is more.
  Status fill() {
    buffer_.erase(0, at_);
    at_ = 0;
    const size_t kept = buffer_.size();
    const auto more = static_cast<size_t>(std::min<uint64_t>(kBuffer, left_));
    buffer_.resize(kept + more);
    return fetch(buffer_.data() + kept, more);
  }

  const RandomAccessFile& file_;
  uint64_t next_, left_;
  std::string buffer_;
  size_t at_ = 0;
};

}  // namespace

Result<uint32_t> append_strings(WritableFile& file, const Tensor& strings, Parallel& parallel) {
  const int64_t count = strings.num_elements();
  const auto* texts = strings.data<std::string>();
  uint32_t crc = 0;
  Status status;
  std::string bytes;
  constexpr double kCost = 20;  // nanoseconds, without the writing itself
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
  Stretch from(file, offset, bytes);
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
    if (length > from.left()) return Status(Code::kDataLoss, "the strings are longer than what is stored of them");
    std::string& text = strings.data<std::string>()[i];
    text.resize(length);
    TINYTF_RETURN_IF_ERROR(from.read(text.data(), length));
    crc = crc32c(text.data(), length, crc);
  }
  if (from.left() > 0) return Status(Code::kDataLoss, "the strings are shorter than what is stored of them");
  return crc;
}

}  // namespace tinytf
