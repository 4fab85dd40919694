#include "io/deflate.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(without_a_codec_nothing_is_compressed) {
  EXPECT(deflate_codec() == nullptr);
  EXPECT(deflate("text").status().code() == Code::kUnimplemented);
  EXPECT(inflate("text", DeflateFormat::kZlib, 10).status().code() == Code::kUnimplemented);
}

TINYTF_TEST(what_is_deflated_is_inflated) {
  const testing::StoredDeflate codec;
  for (const size_t size : {0, 1, 7, 254, 255, 256, 1000}) {
    const std::string text(size, 'x');
    const std::string stream = deflate(text).take();
    EXPECT_EQ(inflate(stream, DeflateFormat::kZlib, size).take(), text);
    EXPECT_EQ(inflate(stream + "what follows", DeflateFormat::kZlib, size).take(), text);
    if (size > 0) {
      EXPECT(inflate(stream, DeflateFormat::kZlib, size - 1).status().code() == Code::kResourceExhausted);
    }
    for (size_t cut = 0; cut < stream.size(); ++cut) {
      EXPECT(inflate(stream.substr(0, cut), DeflateFormat::kZlib, size).status().code() == Code::kDataLoss);
    }
  }
}

TINYTF_TEST(what_a_codec_says_is_passed_on) {
  const testing::StoredDeflate codec;
  EXPECT_EQ(inflate("text", DeflateFormat::kGzip, 10).status().message(),
            std::string("inflate() failed with error -3: incorrect header check"));
  DeflateOptions options;
  options.level = 10;
  EXPECT(deflate("text", options).status().code() == Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
