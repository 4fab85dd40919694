#include "base/spin_pause.h"

#include <atomic>
#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(spin_pause_lets_a_thread_wait_for_another) {
  std::atomic<bool> written{false};
  std::thread other([&] { written.store(true); });
  while (!written.load()) spin_pause();
  other.join();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
