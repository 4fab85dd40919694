#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tinytf {

// Format of sorted string tables (LevelDB's, without filters): data blocks, an index block with their handles, and a
// footer with the handle of the index block.

/// Position of a block in its file, without the trailer.
struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;

  void append_to(std::string& to) const;
  /// Takes a handle off the front; returns false if there is none.
  static bool take(std::string_view& from, BlockHandle& handle);
};

/// After each block: a byte for its kind, and the masked checksum of both.
inline constexpr size_t kBlockTrailer = 5;
enum class BlockKind : uint8_t { kPlain = 0, kSnappy = 1 };

inline constexpr uint64_t kTableMagic = 0xdb4775248b80fb57u;

/// The end of the file.
struct TableFooter {
  static constexpr size_t kSize = 48;
  BlockHandle metaindex;
  BlockHandle index;

  std::string bytes() const;
};

/// Takes a varint of at most 32 bits off the front; returns false if there is none.
bool take_varint32(std::string_view& from, uint32_t& value);
void append_varint(std::string& to, uint64_t value);

}  // namespace tinytf
