#include "io/wav.h"

#include <cmath>
#include <utility>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(what_no_wav_can_hold_is_refused) {
  const float sample = 0;
  EXPECT(encode_wav({&sample, 1, 1, 1}).ok());
  constexpr int64_t kMost = INT64_MAX;
  for (const auto& [frames, channels] :
       {std::pair<int64_t, int64_t>{0, 1}, {1, 0}, {-1, 1}, {1, -1}, {1, 65536}, {kMost, 2}, {1 << 30, 2}}) {
    EXPECT(encode_wav({&sample, frames, channels, 1}).status().code() == Code::kInvalidArgument);
  }
  for (const uint64_t rate : {uint64_t{0}, uint64_t{1} << 32}) {
    EXPECT(encode_wav({&sample, 1, 1, rate}).status().code() == Code::kInvalidArgument);
  }
}

TINYTF_TEST(samples_are_rounded_and_clipped) {
  const std::vector<float> samples = {1.5f / 32768, -1.5f / 32768, 2, -2, std::nanf(""), INFINITY};
  const std::string file = encode_wav({samples.data(), 3, 2, 8000}).take();
  EXPECT_EQ(file.substr(44), std::string("\2\0\xFE\xFF\xFF\x7F\0\x80\0\0\xFF\x7F", 12));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
