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

/// A table in a file, whoever wrote it: sizes and places are believed only as far as the file reaches. Thread-safe.
class Table {
 public:
  /// DataLoss for a file that is none.
  static Result<std::shared_ptr<const Table>> open(const std::string& path);

  /// The entries of the block that a handle leads to. Checked against its checksum.
  Result<BlockCursor> block(const BlockHandle& handle) const;
  const BlockHandle& index() const { return index_; }
  uint64_t file_size() const { return file_->size(); }

 private:
  Table(std::unique_ptr<RandomAccessFile> file, BlockHandle index) : file_(std::move(file)), index_(index) {}
  static Result<std::string> read_block(const RandomAccessFile& file, const BlockHandle& handle);

  const std::unique_ptr<RandomAccessFile> file_;
  const BlockHandle index_;
};

/// Goes through the entries of a table, which it keeps alive; from block to block only towards the end of the file, so
/// that no block is gone through twice. One thread at a time.
class TableCursor {
 public:
  static Result<TableCursor> open(std::shared_ptr<const Table> table);

  bool valid() const { return block_.valid(); }
  /// What ended it, if that was damage.
  const Status& status() const { return status_; }
  const std::string& key() const { return block_.key(); }
  /// Valid until the cursor moves.
  std::string_view value() const { return block_.value(); }
  uint64_t file_size() const { return table_->file_size(); }

  void seek_to_first();
  /// Goes to the first entry whose key is not below `key`.
  void seek(std::string_view key);
  void next();

 private:
  TableCursor(std::shared_ptr<const Table> table, BlockCursor index)
      : table_(std::move(table)), index_(std::move(index)) {}
  /// Has the block that the index is at; false at its end, or where it is damaged, or lies before `begin`.
  bool load(uint64_t begin = 0);
  void pass_empty_blocks();

  std::shared_ptr<const Table> table_;
  BlockCursor index_;
  BlockCursor block_;
  BlockHandle loaded_;  // where block_ comes from; of size 0 if it is none
  Status status_;
};

}  // namespace tinytf
