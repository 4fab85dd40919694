#include "io/file_range.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

TINYTF_TEST(stretches_are_read_from_front_to_end) {
  const TemporaryFolder folder;
  std::string bytes = testing::hex("07 ac02 ffffffffffffffffff01");
  for (int i = 0; i < 700000; ++i) bytes += static_cast<char>(i % 251);
  testing::write(folder / "a", "before" + bytes + "behind");
  const auto file = RandomAccessFile::open(folder / "a").take();
  FileRange stretch(*file, 6, bytes.size());
  EXPECT_EQ(stretch.left(), bytes.size());
  uint64_t number = 0;
  for (const uint64_t expected : {uint64_t{7}, uint64_t{300}, UINT64_MAX}) {
    EXPECT_OK(stretch.read_varint(number));
    EXPECT_EQ(number, expected);
  }
  std::string read;
  for (const size_t piece : {0, 10, 262144, 100000, 300000}) {
    std::string next(piece, ' ');
    EXPECT_OK(stretch.read(next.data(), piece));
    read += next;
  }
  EXPECT(read == bytes.substr(13, read.size()));
  EXPECT_EQ(stretch.left(), bytes.size() - 13 - read.size());
  EXPECT_EQ(stretch.read(read.data(), stretch.left() + 1).code(), Code::kOutOfRange);
  EXPECT_OK(stretch.read(read.data(), stretch.left()));
  EXPECT_EQ(stretch.read_varint(number).code(), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
