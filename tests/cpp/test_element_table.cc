#include "ops/data_flow/shared/element_table.h"

#include "tests/cpp/harness.h"

namespace tinytf {

using ops::ElementTable;

TINYTF_TEST(element_table_has_what_was_touched) {
  ElementTable table;
  EXPECT(table.find(0) == nullptr);
  table.at(5).written = true;
  EXPECT(table.find(5)->written);
  EXPECT(!table.at(4).written);
  EXPECT(table.find(1 << 30) == nullptr);
  table.at((1 << 30) + 7).read = true;
  EXPECT(table.find((1 << 30) + 7)->read);
  EXPECT(table.find(5)->written);
}

TINYTF_TEST(element_table_visits_in_order) {
  ElementTable table;
  for (const int64_t i : {5000, 3, 1023, 1024}) table.at(i).written = true;
  std::vector<int64_t> found;
  table.for_each([&](int64_t i, const ElementTable::Element& element) {
    if (element.written) found.push_back(i);
  });
  EXPECT_EQ(found, (std::vector<int64_t>{3, 1023, 1024, 5000}));
  table.clear();
  EXPECT(table.find(3) == nullptr);
}

}  // namespace tinytf
