#include <random>

#include "ops/io/shared/variant_codec.h"
#include "tests/cpp/io_fixture.h"
#include "tests/stress/damage.h"
#include "tests/stress/stress.h"

namespace tinytf {

using namespace testing;

TINYTF_TEST(damaged_lists_are_read_within_their_bytes) {
  // As saved by TensorFlow 1.15.5: two vectors of floats; three of integers, one of which is set; strings.
  const std::string name = hex("0a16 74656e736f72666c6f773a3a54656e736f724c697374");
  const std::vector<std::string> lists = {
      name +
          hex("12100001ffffffffffffffffff01120208021a1208011204120208022a080000803f000000401a1208011204120208022a080000"
              "404000008040"),
      name + hex("1212 02000203ffffffffffffffffff0112020802 1a0c08031204120208023a020506"),
      name + hex("1205 0007071801 1a0f080712041202080242016142026263"),
  };
  const VariantCodec& codec = ops::variant_codec();
  for (const std::string& list : lists) EXPECT_EQ(codec.encode(codec.decode(list).take()).value(), list);
  std::mt19937 random(4);
  int kept = 0;
  for (int i = 0; i < rounds(20000); ++i) {
    std::string bytes = lists[random() % lists.size()];
    damage(bytes, random);
    const auto list = codec.decode(bytes);
    if (!list.ok()) continue;
    ++kept;
    const auto again = codec.encode(list.value());
    EXPECT(again.ok());
    if (again.ok()) EXPECT_OK(codec.decode(again.value()).status());
  }
  EXPECT(kept > 0);
}

}  // namespace tinytf
