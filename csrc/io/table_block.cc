#include "io/table_block.h"

#include "io/fixed_int.h"
#include "io/table_format.h"

namespace tinytf {

Result<BlockCursor> BlockCursor::open(std::string contents) {
  BlockCursor cursor;
  const size_t size = contents.size();
  if (size < 4) return Status(Code::kDataLoss, "bad block contents");
  cursor.restarts_ = read_fixed<uint32_t>(contents.data() + size - 4);
  if (cursor.restarts_ > (size - 4) / 4) return Status(Code::kDataLoss, "bad block contents");
  cursor.entries_end_ = size - 4 - size_t{4} * cursor.restarts_;
  cursor.contents_ = std::move(contents);
  return cursor;
}

uint32_t BlockCursor::restart(uint32_t i) const {
  return read_fixed<uint32_t>(contents_.data() + entries_end_ + size_t{4} * i);
}

void BlockCursor::fail() {
  status_ = Status(Code::kDataLoss, "bad entry in block");
  valid_ = false;
  next_ = entries_end_;
}

void BlockCursor::start_at(uint32_t offset) {
  key_.clear();
  next_ = offset;
  next();
}

void BlockCursor::seek_to_first() {
  if (restarts_ > 0) return start_at(restart(0));
  valid_ = false;
}

void BlockCursor::next() {
  valid_ = false;
  if (next_ >= entries_end_) return;
  std::string_view rest = std::string_view(contents_).substr(next_, entries_end_ - next_);
  uint32_t shared = 0, unshared = 0, value = 0;
  if (!take_varint32(rest, shared) || !take_varint32(rest, unshared) || !take_varint32(rest, value)) return fail();
  if (shared > key_.size() || unshared > rest.size() || value > rest.size() - unshared) return fail();
  key_.resize(shared);
  key_.append(rest.substr(0, unshared));
  value_at_ = entries_end_ - rest.size() + unshared;
  value_size_ = value;
  next_ = value_at_ + value;
  valid_ = true;
}

void BlockCursor::seek(std::string_view key) {
  valid_ = false;
  if (restarts_ == 0) return;
  uint32_t low = 0, high = restarts_ - 1;  // The last restart below the key, or the first.
  while (low < high) {
    const uint32_t middle = high - (high - low) / 2;
    start_at(restart(middle));
    if (!valid_) return fail();
    if (key_ < key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  for (start_at(restart(low)); valid_ && key_ < key;) next();
}

}  // namespace tinytf
