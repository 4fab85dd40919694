#include "handles/memory.h"

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

CoreStats figures(SessionCore& core) {
  CoreStats stats;
  core.memory().count(stats);
  return stats;
}

Tensor own_floats(SessionCore& core, int64_t n) {
  return Tensor::allocate(core.allocator(), DType::kFloat, Shape{n}).take();
}

TINYTF_TEST(memory_has_a_limit_as_long_as_its_core) {
  RefPtr<Allocator> allocator;
  {
    CoreOptions options = OpenCore::with(CleanupStrategy::kOnSafePoints);
    options.memory_limit_bytes = 1 << 20;
    const OpenCore core(options);
    allocator = RefPtr<Allocator>::share(&core->allocator());
    EXPECT(allocator->is_limited());
    EXPECT(!Tensor::allocate(*allocator, DType::kFloat, Shape{1 << 20}).ok());
  }
  EXPECT(!allocator->is_limited());
}

TINYTF_TEST(memory_counts_exports) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  core->memory().note_export(100);
  core->memory().note_export(20);
  core->memory().note_unexport(100);
  EXPECT_EQ(figures(*core).exported_bytes, 20);
  core->memory().note_unexport(20);
}

TINYTF_TEST(memory_gives_blocks_to_the_reaper_that_no_list_keeps) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  own_floats(*core, 8 << 20);
  own_floats(*core, 16 << 20);  // its own size class: otherwise idle memory would exceed the peak in use
  const int64_t waiting = figures(*core).returning_bytes;
  const int64_t before = figures(*core).returned_blocks;
  const int64_t blocks = core->memory().return_blocks();
  EXPECT(core->memory().no_blocks());
  EXPECT_EQ(figures(*core).returning_bytes, 0);
  EXPECT_EQ(figures(*core).returned_blocks, before + blocks);
  EXPECT_EQ(waiting > 0, blocks > 0);
  EXPECT(blocks > 0);
  core->memory().close_blocks();
  own_floats(*core, 8 << 20);
  own_floats(*core, 16 << 20);
  EXPECT(core->memory().no_blocks());  // freed immediately
}

TINYTF_TEST(memory_that_waits_is_trimmed) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  own_floats(*core, 1 << 10);
  EXPECT(figures(*core).pooled_bytes > 0);
  EXPECT(core->memory().trim() > 0);
  EXPECT_EQ(figures(*core).pooled_bytes, 0);
  EXPECT(!core->memory().holds_much());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
