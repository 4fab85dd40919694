#include "base/inlined_vector.h"

#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Small = InlinedVector<int, 2>;

TINYTF_TEST(inlined_vector_grows_out_of_itself) {
  Small v;
  EXPECT(v.empty());
  for (int i = 0; i < 100; ++i) v.push_back(i);
  EXPECT_EQ(v.size(), size_t{100});
  EXPECT_EQ(v[0], 0);
  EXPECT_EQ(v.back(), 99);
  v.pop_back();
  EXPECT_EQ(v.back(), 98);
  v.clear();
  EXPECT(v.empty());
}

TINYTF_TEST(inlined_vector_copies_and_moves) {
  for (const Small& from : {Small{1, 2}, Small{1, 2, 3, 4, 5}}) {
    Small copy = from;
    EXPECT(copy == from);
    Small moved = std::move(copy);
    EXPECT(moved == from);
    EXPECT(copy.empty());  // NOLINT(bugprone-use-after-move)
    copy = moved;
    EXPECT(copy == from);
    copy[0] = 7;
    EXPECT(copy != from);
    moved = std::move(copy);
    EXPECT_EQ(moved[0], 7);
    Small& self = moved;
    moved = self;
    EXPECT_EQ(moved.size(), from.size());
  }
}

TINYTF_TEST(inlined_vector_inserts_and_erases) {
  Small v{1, 3};
  v.insert(1, 2);
  v.insert(0, 0);
  v.insert(4, 4);
  EXPECT(v == (Small{0, 1, 2, 3, 4}));
  v.erase(0);
  v.erase(3);
  EXPECT(v == (Small{1, 2, 3}));
}

TINYTF_TEST(inlined_vector_resizes_and_assigns) {
  Small v(3, 9);
  EXPECT(v == (Small{9, 9, 9}));
  v.resize(1);
  v.resize(4, 5);
  EXPECT(v == (Small{9, 5, 5, 5}));
  const std::vector<long> items{4, 5, 6};
  v.assign(items.begin(), items.end());
  EXPECT(v == (Small{4, 5, 6}));
  EXPECT(Small(items.begin(), items.end()) == v);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
