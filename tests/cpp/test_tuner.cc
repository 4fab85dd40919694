#include "data/tuner.h"

#include <algorithm>

#include "services/thread_pool.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::TunedNumber;
using data::Tuner;

int64_t clock_now = 0;

Tuner::Options options(int64_t memory = 0) {
  clock_now = 1;
  Tuner::Options options;
  options.memory = memory;
  options.now = [] { return clock_now; };
  return options;
}

/// Takes elements for which the consumer waits as long as `wait()` says.
template <class Wait>
void consume(Tuner& tuner, int64_t elements, Wait wait) {
  for (int64_t i = 0; i < elements; ++i) {
    tuner.note_pending();
    clock_now += wait();
    tuner.note_element();
  }
}

TINYTF_TEST(a_buffer_grows_as_long_as_that_pays) {
  const auto tuner = make_ref<Tuner>(options());
  const auto buffer = tuner->buffer(512);
  EXPECT_EQ(buffer->value(), 1);
  consume(*tuner, 5000, [&] { return buffer->value() >= 8 ? int64_t{4'000'000} : 32'000'000 / buffer->value(); });
  EXPECT_EQ(buffer->value(), 8);
}

TINYTF_TEST(a_number_that_does_not_matter_stays_as_it_was) {
  const auto tuner = make_ref<Tuner>(options());
  const auto buffer = tuner->buffer(512), other = tuner->buffer(512);
  consume(*tuner, 5000, [&] { return buffer->value() >= 4 ? int64_t{4'000'000} : 16'000'000 / buffer->value(); });
  EXPECT_EQ(buffer->value(), 4);
  EXPECT_EQ(other->value(), 1);
}

TINYTF_TEST(parallelism_that_nobody_waits_for_shrinks) {
  const auto tuner = make_ref<Tuner>(options());
  const auto calls = tuner->parallelism(int64_t{1} << 40);
  EXPECT_EQ(calls->value(), std::max(ThreadPool::process().size(), 1));
  EXPECT_EQ(calls->most(), calls->value());
  consume(*tuner, 20000, [] { return int64_t{0}; });
  EXPECT_EQ(calls->value(), 1);
}

TINYTF_TEST(parallelism_has_the_limits_of_the_program) {
  Tuner::Options limited = options();
  limited.processors = 1;
  EXPECT_EQ(make_ref<Tuner>(limited)->parallelism(100)->value(), 1);
  EXPECT_EQ(make_ref<Tuner>(options())->parallelism(1)->value(), 1);
}

TINYTF_TEST(buffers_stay_within_the_memory) {
  const auto tuner = make_ref<Tuner>(options(/*memory=*/4000));
  const auto buffer = tuner->buffer(512);
  buffer->note_bytes(1000);
  consume(*tuner, 5000, [&] { return 64'000'000 / buffer->value(); });
  EXPECT_EQ(buffer->value(), 4);
  for (int i = 0; i < 100; ++i) buffer->note_bytes(2000);  // Elements become larger.
  consume(*tuner, 1000, [&] { return 64'000'000 / buffer->value(); });
  EXPECT_EQ(buffer->value(), 2);
}

TINYTF_TEST(numbers_of_stages_that_are_gone_are_forgotten) {
  const auto tuner = make_ref<Tuner>(options());
  auto gone = tuner->buffer(512);
  const auto buffer = tuner->buffer(512);
  gone = nullptr;
  consume(*tuner, 5000, [&] { return buffer->value() >= 2 ? int64_t{4'000'000} : int64_t{9'000'000}; });
  EXPECT_EQ(buffer->value(), 2);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
