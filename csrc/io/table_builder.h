#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "io/file.h"
#include "io/table_format.h"

namespace tinytf {

/// Builds a block of entries: keys must ascend and are stored without the prefix that they share with the previous key,
/// except for every `restart_interval`th.
class BlockBuilder {
 public:
  explicit BlockBuilder(int restart_interval) : restart_interval_(restart_interval) {}

  void add(std::string_view key, std::string_view value);
  bool empty() const { return entries_.empty(); }
  /// Size in bytes of the finished block.
  size_t size() const { return entries_.size() + 4 * restarts_.size() + 4; }
  const std::string& last_key() const { return last_key_; }
  /// Returns the block and clears the builder.
  std::string finish();

 private:
  const int restart_interval_;
  std::string entries_;
  std::vector<uint32_t> restarts_{0};
  int since_restart_ = 0;
  std::string last_key_;
};

/// Writes a table into a new file, byte for byte as TensorFlow does. Does not close it.
class TableBuilder {
 public:
  explicit TableBuilder(WritableFile& file) : file_(file) {}

  /// Keys must ascend.
  Status add(std::string_view key, std::string_view value);
  Status finish();

 private:
  Status flush();
  Result<BlockHandle> write_block(BlockBuilder& block);
  /// Adds the last block's entry to the index, once the next key is known.
  void note_last_block(std::string_view key_between);

  WritableFile& file_;
  BlockBuilder data_{16};
  BlockBuilder index_{1};
  BlockHandle last_block_;
  std::string last_key_;
  bool has_unnoted_block_ = false;
};

/// Returns a short key in [before, behind).
std::string key_between(const std::string& before, std::string_view behind);
/// Returns a short key that is not below `key`.
std::string key_behind(const std::string& key);

}  // namespace tinytf
