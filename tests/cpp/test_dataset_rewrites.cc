#include "op/dataset_rewrites.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(rewrites_of_two_requests) {
  DatasetRewrites none, noops, fused;
  noops.drops_noops = true;
  fused.fuses_shuffle_and_repeat = fused.fuses_map_and_batch = true;
  EXPECT(!none.any() && !none.with(none).any());
  EXPECT(noops.any() && fused.any());
  const DatasetRewrites both = noops.with(fused);
  EXPECT(both.drops_noops && both.fuses_shuffle_and_repeat && both.fuses_map_and_batch);
  EXPECT(!noops.with(none).fuses_map_and_batch);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
