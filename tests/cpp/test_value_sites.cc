#include "runtime/eager/value_sites.h"

#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::n_floats;
using testing::OpenCore;

TINYTF_TEST(sites_are_remembered_until_their_core_is_forgotten) {
  const OpenCore core(CleanupStrategy::kImmediately);
  TensorHandle* x = core->make_handle(n_floats(3));
  EXPECT(site_of(*x) == nullptr);
  note_site(*x, {"MatMul", "model.py:3"});
  EXPECT_EQ(site_of(*x)->op, "MatMul");
  note_site(*x, {"Add", "model.py:4"});
  EXPECT_EQ(site_of(*x)->place, "model.py:4");
  forget_sites(*core);
  EXPECT(site_of(*x) == nullptr);
  core->drop(x);
}

TINYTF_TEST(sites_that_hold_most_come_first) {
  const OpenCore core(CleanupStrategy::kImmediately);
  TensorHandle* x = core->make_handle(n_floats(3));
  TensorHandle* y = core->make_handle(n_floats(10));
  note_site(*x, {"MatMul", "model.py:3"});
  EXPECT_EQ(largest_holders(*core), "40 bytes in float [10]; 12 bytes in MatMul at model.py:3");
  EXPECT_EQ(value_now(*y).num_elements(), 10);
  core->drop(x);
  core->drop(y);
  EXPECT_EQ(largest_holders(*core), "");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
