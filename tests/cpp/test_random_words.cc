#include "ops/data/shared/random_words.h"

#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using ops::RandomWords;
using ops::SeedGenerator;
using ops::Seeds;

// TensorFlow's numbers for the seeds 4 and 5.
const std::vector<uint32_t> kWords = {408065954, 1822492827, 3246778955, 48150841, 561765153, 1384991609};

TINYTF_TEST(words_of_two_seeds) {
  RandomWords words(4, 5);
  for (const uint32_t word : kWords) EXPECT_EQ(words.next(), word);
  EXPECT_EQ(words.drawn(), 6);
}

TINYTF_TEST(words_from_any_number_on) {
  for (size_t begin = 0; begin < kWords.size(); ++begin) {
    RandomWords words(4, 5);
    (void)words.next();
    words.set_drawn(static_cast<int64_t>(begin));
    for (size_t i = begin; i < kWords.size(); ++i) EXPECT_EQ(words.next(), kWords[i]);
  }
  RandomWords words(4, 5);
  for (const int64_t drawn : {INT64_MAX, INT64_MIN, int64_t{-1}}) {
    words.set_drawn(drawn);
    (void)words.next();
  }
}

TINYTF_TEST(two_seeds_of_zero_are_replaced) {
  const Seeds kept = Seeds::of(0, 3);
  EXPECT(kept.seed == 0 && kept.seed2 == 3);
  const Seeds one = Seeds::of(0, 0), two = Seeds::of(0, 0);
  EXPECT(one.seed != 0 && one.seed2 != 0);
  EXPECT(one.seed != two.seed || one.seed2 != two.seed2);
}

TINYTF_TEST(seeds_of_rounds_of_a_shuffle) {
  const auto generator = make_ref<SeedGenerator>(Seeds{4, 5});
  const Seeds first = generator->next(), second = generator->next();
  EXPECT(first.seed == kWords[0] && first.seed2 == kWords[1]);
  EXPECT(second.seed == kWords[2] && second.seed2 == kWords[3]);
  EXPECT_EQ(generator->drawn(), 4);
  generator->set_drawn(2);
  EXPECT_EQ(generator->next().seed, int64_t{kWords[2]});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
