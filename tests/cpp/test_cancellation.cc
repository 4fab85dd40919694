#include "services/cancellation.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

TINYTF_TEST(cancellation_calls_back_once) {
  Cancellation cancellation;
  int called = 0;
  Cancellation::Token kept = 0, removed = 0;
  EXPECT(cancellation.on_cancel(&kept, [&] { ++called; }));
  EXPECT(cancellation.on_cancel(&removed, [&] { called += 100; }));
  EXPECT(cancellation.remove(removed));
  EXPECT(!cancellation.cancelled());
  cancellation.cancel();
  cancellation.cancel();
  EXPECT(cancellation.cancelled());
  EXPECT_EQ(called, 1);
  EXPECT(!cancellation.remove(kept));
  EXPECT(!cancellation.on_cancel(&kept, [&] { ++called; }));
  cancellation.reset();
  EXPECT(!cancellation.cancelled());
  EXPECT(cancellation.on_cancel(&kept, [&] { ++called; }));
}

}  // namespace
}  // namespace tinytf
