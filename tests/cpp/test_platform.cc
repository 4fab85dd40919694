#include "services/platform.h"

#include <pthread.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(platform_names_and_numbers_threads) {
  const uint32_t here = this_thread_number();
  EXPECT_EQ(this_thread_number(), here);
  uint32_t there = here;
  std::string name;
  std::thread other([&] {
    name_this_thread("tinytf-somebody");
    let_others_go_on_at_wakeup();
    char read[kThreadNameBytes] = {};
    pthread_getname_np(pthread_self(), read, sizeof read);
    name = read;
    there = this_thread_number();
  });
  other.join();
  EXPECT(there != here);
  EXPECT_EQ(name, "tinytf-somebody");
}

TINYTF_TEST(platform_coarse_clock_is_the_steady_one_a_little_late) {
  const auto before = coarse_steady_now();
  const auto now = std::chrono::steady_clock::now();
  while (coarse_steady_now() < now) {  // terminates only if both clocks have the same epoch
  }
  EXPECT(before <= now);
  EXPECT(coarse_steady_now() >= before);
}

TINYTF_TEST(platform_has_a_processor_for_us) { EXPECT(processors_of_this_process() >= 1); }

}  // namespace TINYTF_FILE
}  // namespace tinytf
