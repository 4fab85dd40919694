#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "io/file.h"
#include "io/table_block.h"
#include "io/table_format.h"

namespace tinytf {

/// A table in a file, which may be damaged or hostile: stored sizes and offsets are checked against the file size.
/// Thread-safe.
class Table {
 public:
  /// DataLoss for a file that is not a table.
  static Result<std::shared_ptr<const Table>> open(const std::string& path);

  /// Returns the entries of the block at a handle, after checking its checksum.
  Result<BlockCursor> block(const BlockHandle& handle) const;
  const BlockHandle& index() const { return index_; }
  uint64_t file_size() const { return file_->size(); }

 private:
  Table(std::unique_ptr<RandomAccessFile> file, BlockHandle index) : file_(std::move(file)), index_(index) {}
  static Result<std::string> read_block(const RandomAccessFile& file, const BlockHandle& handle);

  const std::unique_ptr<RandomAccessFile> file_;
  const BlockHandle index_;
};

/// Iterates over the entries of a table, which it keeps alive. It moves between blocks only toward the end of the file,
/// so no block is visited twice. One thread at a time.
class TableCursor {
 public:
  static Result<TableCursor> open(std::shared_ptr<const Table> table);

  bool valid() const { return block_.valid(); }
  /// The damage that ended the iteration, if any.
  const Status& status() const { return status_; }
  const std::string& key() const { return block_.key(); }
  /// Valid until the cursor moves.
  std::string_view value() const { return block_.value(); }
  uint64_t file_size() const { return table_->file_size(); }

  void seek_to_first();
  /// Moves to the first entry whose key is not below `key`.
  void seek(std::string_view key);
  void next();

 private:
  TableCursor(std::shared_ptr<const Table> table, BlockCursor index)
      : table_(std::move(table)), index_(std::move(index)) {}
  /// Loads the block at the index's position; returns false at its end, or if the block is damaged or starts before
  /// `begin`.
  bool load(uint64_t begin = 0);
  void pass_empty_blocks();

  std::shared_ptr<const Table> table_;
  BlockCursor index_;
  BlockCursor block_;
  BlockHandle loaded_;  // Handle of block_; of size 0 if there is none.
  Status status_;
};

}  // namespace tinytf
