#include "io/table_builder.h"

#include <algorithm>

#include "base/crc32c.h"
#include "io/fixed_int.h"

namespace tinytf {

namespace {
constexpr size_t kBlockSize = 262144;
}

std::string key_between(const std::string& before, std::string_view behind) {
  const size_t shorter = std::min(before.size(), behind.size());
  const size_t at = static_cast<size_t>(std::mismatch(before.begin(), before.begin() + shorter, behind.begin()).first -
                                        before.begin());
  if (at == shorter) return before;
  const auto byte = static_cast<unsigned char>(before[at]);
  if (byte == 0xff || byte + 1 >= static_cast<unsigned char>(behind[at])) return before;
  std::string key = before.substr(0, at + 1);
  key.back() = static_cast<char>(byte + 1);
  return key;
}

std::string key_behind(const std::string& key) {
  const size_t at = key.find_first_not_of('\xff');
  if (at == std::string::npos) return key;
  std::string behind = key.substr(0, at + 1);
  behind.back() = static_cast<char>(static_cast<unsigned char>(behind.back()) + 1);
  return behind;
}

void BlockBuilder::add(std::string_view key, std::string_view value) {
  size_t shared = 0;
  if (since_restart_ == restart_interval_) {
    restarts_.push_back(static_cast<uint32_t>(entries_.size()));
    since_restart_ = 0;
  } else {
    const size_t shorter = std::min(key.size(), last_key_.size());
    while (shared < shorter && key[shared] == last_key_[shared]) ++shared;
  }
  append_varint(entries_, shared);
  append_varint(entries_, key.size() - shared);
  append_varint(entries_, value.size());
  entries_.append(key.substr(shared));
  entries_.append(value);
  last_key_ = key;
  ++since_restart_;
}

std::string BlockBuilder::finish() {
  std::string block = std::move(entries_);
  for (const uint32_t restart : restarts_) append_fixed(block, restart);
  append_fixed(block, static_cast<uint32_t>(restarts_.size()));
  entries_.clear();
  restarts_.assign(1, 0);
  since_restart_ = 0;
  last_key_.clear();
  return block;
}

Status TableBuilder::add(std::string_view key, std::string_view value) {
  if (!data_.empty() && key.size() + value.size() >= 2 * kBlockSize) TINYTF_RETURN_IF_ERROR(flush());
  if (has_unnoted_block_) note_last_block(key_between(last_key_, key));
  data_.add(key, value);
  last_key_ = key;
  return data_.size() >= kBlockSize ? flush() : Status();
}

void TableBuilder::note_last_block(std::string_view key_between) {
  std::string handle;
  last_block_.append_to(handle);
  index_.add(key_between, handle);
  has_unnoted_block_ = false;
}

Result<BlockHandle> TableBuilder::write_block(BlockBuilder& block) {
  std::string bytes = block.finish();
  const BlockHandle handle{file_.written(), bytes.size()};
  bytes.push_back(static_cast<char>(BlockKind::kPlain));
  append_fixed(bytes, mask_crc(crc32c(bytes.data(), bytes.size())));
  TINYTF_RETURN_IF_ERROR(file_.append(bytes));
  return handle;
}

Status TableBuilder::flush() {
  if (data_.empty()) return Status();
  TINYTF_ASSIGN_OR_RETURN(last_block_, write_block(data_));
  has_unnoted_block_ = true;
  return Status();
}

Status TableBuilder::finish() {
  TINYTF_RETURN_IF_ERROR(flush());
  TableFooter footer;
  BlockBuilder metaindex(16);
  TINYTF_ASSIGN_OR_RETURN(footer.metaindex, write_block(metaindex));
  if (has_unnoted_block_) note_last_block(key_behind(last_key_));
  TINYTF_ASSIGN_OR_RETURN(footer.index, write_block(index_));
  return file_.append(footer.bytes());
}

}  // namespace tinytf
