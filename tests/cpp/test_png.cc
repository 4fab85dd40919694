#include "io/png.h"

#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"

namespace tinytf {
namespace TINYTF_FILE {

SerialParallel serial;

TINYTF_TEST(images_without_pixels_or_of_impossible_sizes_are_no_png) {
  const testing::StoredDeflate codec;
  const uint8_t pixel[4] = {1, 2, 3, 4};
  EXPECT(encode_png({pixel, 1, 1, 4}, serial).ok());
  constexpr int64_t kMost = INT64_MAX, kSide = int64_t{1} << 31;
  for (const auto& [width, height] : {std::pair<int64_t, int64_t>{0, 1},
                                      {1, 0},
                                      {-1, 1},
                                      {1, -1},
                                      {kMost, kMost},
                                      {kSide, 1},
                                      {1, kSide},
                                      {1 << 16, 1 << 16}}) {
    EXPECT(encode_png({pixel, width, height, 4}, serial).status().code() == Code::kInvalidArgument);
  }
}

TINYTF_TEST(without_a_codec_there_is_no_png) {
  const uint8_t pixel[1] = {1};
  EXPECT(encode_png({pixel, 1, 1, 1}, serial).status().code() == Code::kUnimplemented);
}

TINYTF_TEST(a_png_has_a_head_its_rows_and_an_end) {
  const testing::StoredDeflate codec;
  const std::vector<uint8_t> rows = {1, 2, 3, 7, 8, 9};
  const std::string file = encode_png({rows.data(), 3, 2, 1}, serial).take();
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const std::string head("\0\0\0\x0DIHDR\0\0\0\3\0\0\0\2\x08\0\0\0\0", 21);
  EXPECT_EQ(file.substr(8, head.size()), head);
  // The Sub filter for the first row, the Paeth filter for the second.
  const std::string written("\1\1\1\1\4\6\1\1", 8);
  EXPECT(file.find(written) != std::string::npos);
  EXPECT_EQ(file.substr(file.size() - 8), "IEND\xAE\x42\x60\x82");  // includes the checksum with which every PNG ends
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
