#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Iterates over the entries of one block, which may be malformed: nothing is read outside its bytes.
class BlockCursor {
 public:
  /// At no entry.
  BlockCursor() = default;
  /// Also at no entry. DataLoss for bytes that are not a block.
  static Result<BlockCursor> open(std::string contents);

  /// Whether the cursor is at an entry.
  bool valid() const { return valid_; }
  /// The damage that ended the iteration, if any.
  const Status& status() const { return status_; }
  const std::string& key() const { return key_; }
  /// A view of the block.
  std::string_view value() const { return std::string_view(contents_).substr(value_at_, value_size_); }

  void seek_to_first();
  /// Moves to the first entry whose key is not below `key`.
  void seek(std::string_view key);
  void next();

 private:
  uint32_t restart(uint32_t i) const;
  void start_at(uint32_t offset);
  void fail();

  std::string contents_;
  size_t entries_end_ = 0;
  uint32_t restarts_ = 0;
  size_t next_ = 0;
  size_t value_at_ = 0;
  size_t value_size_ = 0;
  std::string key_;
  Status status_;
  bool valid_ = false;
};

}  // namespace tinytf
