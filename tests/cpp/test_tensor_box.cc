#include "io/tensor_box.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TensorBox box(const char* slice, const Shape& shape) { return TensorBox::of(TensorSlice::parse(slice).value(), shape); }

std::string runs_of(const TensorBox& from, const TensorBox& to) {
  SharedRuns runs(from, to);
  std::string text;
  for (SharedRuns::Run run; runs.next(run);) text += str_cat(run.from, ">", run.to, "*", run.count, " ");
  return text;
}

TINYTF_TEST(boxes_share_what_lies_in_both) {
  const Shape shape{4, 4};
  const auto shared = shared_box(box("0,3:1,2", shape), box("2,2:-", shape));
  EXPECT(shared.has_value());
  EXPECT_EQ(shared->start[0], 2);
  EXPECT_EQ(shared->length[0], 1);
  EXPECT_EQ(shared->num_elements(), 2);
  EXPECT(!shared_box(box("0,2:-", shape), box("2,2:-", shape)));
}

TINYTF_TEST(shared_runs_are_as_long_as_they_can_be) {
  const Shape shape{4, 4};
  EXPECT_EQ(runs_of(box("-:-", shape), box("-:-", shape)), "0>0*16 ");
  EXPECT_EQ(runs_of(box("1,2:-", shape), box("-:-", shape)), "0>4*8 ");
  EXPECT_EQ(runs_of(box("-:1,2", shape), box("-:-", shape)), "0>1*2 2>5*2 4>9*2 6>13*2 ");
  EXPECT_EQ(runs_of(box("-:-", shape), box("2,2:3,1", shape)), "11>0*1 15>1*1 ");
  EXPECT_EQ(runs_of(box("0,2:-", shape), box("2,2:-", shape)), "");
  EXPECT_EQ(runs_of(box("", {}), box("", {})), "0>0*1 ");
  const Shape cube{2, 3, 2};
  EXPECT_EQ(runs_of(box("-:1,2:-", cube), box("-:-:-", cube)), "0>2*4 4>8*4 ");
  EXPECT_EQ(runs_of(box("-:-:1,1", cube), box("1,1:1,2:-", cube)), "4>1*1 5>3*1 ");
}

TINYTF_TEST(parts_fill_a_box_exactly_once_or_not) {
  const Shape shape{4, 4};
  const auto fill = [&](const char* wanted, const std::vector<const char*>& slices) {
    std::vector<TensorBox> parts;
    for (const char* slice : slices) parts.push_back(box(slice, shape));
    const auto numbers = parts_that_fill(box(wanted, shape), parts);
    return numbers ? str_join(*numbers, ",", [](size_t i) { return std::to_string(i); }) : "no";
  };
  EXPECT_EQ(fill("-:-", {"0,2:-", "2,2:-"}), "0,1");
  EXPECT_EQ(fill("0,1:-", {"2,2:-", "0,2:-"}), "1");
  EXPECT_EQ(fill("-:-", {"0,2:-", "2,2:0,2", "2,2:2,2"}), "0,1,2");
  EXPECT_EQ(fill("-:-", {"0,2:-", "3,1:-"}), "no");
  EXPECT_EQ(fill("-:-", {"0,2:-", "0,2:-"}), "no");
  EXPECT_EQ(fill("-:-", {"0,3:-", "1,1:-"}), "no");
  EXPECT_EQ(fill("-:-", {"0,2:-", "2,2:-", "1,1:1,1"}), "no");
  EXPECT_EQ(fill("-:-", {}), "no");
  EXPECT(parts_that_fill(box("-", {0}), {})->empty());
  EXPECT(parts_that_fill(box("", {}), {box("", {})}).has_value());
  EXPECT(!parts_that_fill(box("", {}), {box("", {}), box("", {})}));
}

TINYTF_TEST(many_parts_are_compared_in_no_time_that_grows_with_their_square) {
  constexpr int64_t kMany = 100000;
  const TensorBox wanted{{0, 0}, {3, kMany}};
  std::vector<TensorBox> parts = {{{0, 0}, {1, kMany}}};  // a row above columns that all begin in the same row
  for (int64_t i = 0; i < kMany; ++i) parts.push_back({{1, i}, {2, 1}});
  EXPECT(parts_that_fill(wanted, parts).has_value());
  parts.back() = parts[1];
  EXPECT(!parts_that_fill(wanted, parts));
  std::vector<TensorBox> same(kMany, TensorBox{{0, 0}, {1, 1}});
  EXPECT(!parts_that_fill(TensorBox{{0, 0}, {1, kMany}}, same));
}

TINYTF_TEST(parts_that_no_cut_takes_apart_fill_a_box) {
  const Shape shape{3, 3};
  std::vector<TensorBox> wheel;
  for (const char* slice : {"0,1:0,2", "0,2:2,1", "2,1:1,2", "1,2:0,1", "1,1:1,1"}) wheel.push_back(box(slice, shape));
  EXPECT(parts_that_fill(box("-:-", shape), wheel).has_value());
  wheel.back() = box("0,1:0,1", shape);
  EXPECT(!parts_that_fill(box("-:-", shape), wheel));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
