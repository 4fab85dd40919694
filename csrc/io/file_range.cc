#include "io/file_range.h"

#include <algorithm>

#include "io/wire.h"

namespace tinytf {

namespace {
constexpr size_t kBuffer = size_t{256} << 10;
constexpr size_t kLongestNumber = 10;
}  // namespace

Status FileRange::read(char* to, uint64_t bytes) {
  if (bytes > left()) return Status(Code::kOutOfRange, "Read less bytes than requested");
  const auto here = static_cast<size_t>(std::min<uint64_t>(bytes, buffer_.size() - at_));
  buffer_.copy(to, here, at_);
  at_ += here;
  if (here == bytes) return Status();
  if (bytes - here >= kBuffer) return fetch(to + here, static_cast<size_t>(bytes - here));
  TINYTF_RETURN_IF_ERROR(fill());
  return read(to + here, bytes - here);
}

Status FileRange::read_varint(uint64_t& value) {
  if (buffer_.size() - at_ < kLongestNumber && unfetched_ > 0) TINYTF_RETURN_IF_ERROR(fill());
  std::string_view rest = std::string_view(buffer_).substr(at_);
  if (!take_varint(rest, value)) return Status(Code::kDataLoss, "a length is damaged");
  at_ = buffer_.size() - rest.size();
  return Status();
}

Status FileRange::fetch(char* to, size_t bytes) {
  TINYTF_RETURN_IF_ERROR(file_.read(next_, to, bytes));
  next_ += bytes;
  unfetched_ -= bytes;
  return Status();
}

Status FileRange::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const size_t kept = buffer_.size();
  const auto more = static_cast<size_t>(std::min<uint64_t>(kBuffer, unfetched_));
  buffer_.resize(kept + more);
  return fetch(buffer_.data() + kept, more);
}

}  // namespace tinytf
