#include "io/table.h"

#include "base/crc32c.h"
#include "io/fixed_int.h"
#include "io/snappy.h"

namespace tinytf {

namespace {
Status damaged_table(const char* what) { return Status(Code::kDataLoss, what); }
}  // namespace

Result<std::shared_ptr<const Table>> Table::open(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(auto file, RandomAccessFile::open(path));
  if (file->size() < TableFooter::kSize) return damaged_table("file is too short to be an sstable");
  char bytes[TableFooter::kSize];
  TINYTF_RETURN_IF_ERROR(file->read(file->size() - sizeof bytes, bytes, sizeof bytes));
  std::string_view footer(bytes, sizeof bytes - sizeof kTableMagic);
  if (read_fixed<uint64_t>(bytes + footer.size()) != kTableMagic) {
    return damaged_table("not an sstable (bad magic number)");
  }
  TableFooter handles;
  if (!BlockHandle::take(footer, handles.metaindex) || !BlockHandle::take(footer, handles.index) ||
      handles.bytes() != std::string_view(bytes, sizeof bytes)) {  // The bytes after the handles must be zeros.
    return damaged_table("bad block handle");
  }
  // The block is unused, but a file with damage there may have more elsewhere.
  TINYTF_RETURN_IF_ERROR(read_block(*file, handles.metaindex).status());
  return std::shared_ptr<const Table>(new Table(std::move(file), handles.index));
}

Result<std::string> Table::read_block(const RandomAccessFile& file, const BlockHandle& handle) {
  const uint64_t size = file.size();
  if (handle.offset > size || size - handle.offset < kBlockTrailer ||
      handle.size > size - handle.offset - kBlockTrailer) {
    return Status(Code::kOutOfRange, "Read less bytes than requested");
  }
  std::string bytes(handle.size + kBlockTrailer, '\0');
  TINYTF_RETURN_IF_ERROR(file.read(handle.offset, bytes.data(), bytes.size()));
  const uint32_t stored = unmask_crc(read_fixed<uint32_t>(bytes.data() + handle.size + 1));
  if (crc32c(bytes.data(), handle.size + 1) != stored) return damaged_table("block checksum mismatch");
  const char kind = bytes[handle.size];
  bytes.resize(handle.size);
  if (kind == static_cast<char>(BlockKind::kPlain)) return bytes;
  if (kind != static_cast<char>(BlockKind::kSnappy)) return damaged_table("bad block type");
  auto decoded = snappy_decoded(bytes);
  if (!decoded) return damaged_table("corrupted compressed block contents");
  return std::move(*decoded);
}

Result<BlockCursor> Table::block(const BlockHandle& handle) const {
  TINYTF_ASSIGN_OR_RETURN(std::string contents, read_block(*file_, handle));
  return BlockCursor::open(std::move(contents));
}

Result<TableCursor> TableCursor::open(std::shared_ptr<const Table> table) {
  TINYTF_ASSIGN_OR_RETURN(BlockCursor index, table->block(table->index()));
  return TableCursor(std::move(table), std::move(index));
}

bool TableCursor::load(uint64_t begin) {
  const auto give_up = [&](const Status& status) {
    status_ = status;
    block_ = BlockCursor();
    loaded_ = BlockHandle();
    return false;
  };
  if (!index_.valid()) return give_up(index_.status());
  std::string_view value = index_.value();
  BlockHandle handle;
  if (!BlockHandle::take(value, handle) || handle.offset < begin) return give_up(damaged_table("bad block handle"));
  if (loaded_.size > 0 && loaded_.offset == handle.offset && loaded_.size == handle.size) return true;
  auto block = table_->block(handle);
  if (!block.ok()) return give_up(block.status());
  block_ = block.take();
  loaded_ = handle;
  return true;
}

void TableCursor::pass_empty_blocks() {
  while (!block_.valid()) {
    if (!block_.status().ok()) {
      status_ = block_.status();
      return;
    }
    index_.next();
    if (!load(loaded_.offset + loaded_.size + kBlockTrailer)) return;
    block_.seek_to_first();
  }
}

void TableCursor::seek_to_first() {
  status_ = Status();
  index_.seek_to_first();
  if (!load()) return;
  block_.seek_to_first();
  pass_empty_blocks();
}

void TableCursor::seek(std::string_view key) {
  status_ = Status();
  index_.seek(key);
  if (!load()) return;
  block_.seek(key);
  pass_empty_blocks();
}

void TableCursor::next() {
  block_.next();
  pass_empty_blocks();
}

}  // namespace tinytf
