#include "io/piecewise_read.h"

#include "base/crc32c.h"
#include "tests/cpp/io_fixture.h"
#include "tests/cpp/kernel_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

TINYTF_TEST(stretches_are_read_in_pieces_and_summed) {
  const TemporaryFolder folder;
  std::string bytes;
  for (uint32_t i = 0, random = 1; i < 3 << 20; ++i) bytes += static_cast<char>((random = random * 1664525 + 99) >> 24);
  testing::write(folder / "a", bytes);
  const auto file = RandomAccessFile::open(folder / "a").take();
  PiecewiseRead reads;
  const std::vector<std::pair<size_t, size_t>> stretches{{0, 10}, {5, 0}, {10, (2 << 20) + 7}, {1 << 20, 1 << 20}};
  std::vector<std::string> read;
  for (const auto& stretch : stretches) read.emplace_back(stretch.second, ' ');
  for (size_t i = 0; i < stretches.size(); ++i) {
    EXPECT_EQ(reads.add(*file, stretches[i].first, read[i].data(), stretches[i].second), i);
  }
  kernels::UnevenParallel uneven;
  EXPECT_OK(reads.run(uneven));
  for (size_t i = 0; i < stretches.size(); ++i) {
    EXPECT(read[i] == bytes.substr(stretches[i].first, stretches[i].second));
    EXPECT_EQ(reads.crc(i), crc32c(read[i].data(), read[i].size()));
  }
  PiecewiseRead beyond;
  beyond.add(*file, bytes.size() - 1, read[0].data(), 2);
  EXPECT_EQ(beyond.run(uneven).code(), Code::kOutOfRange);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
