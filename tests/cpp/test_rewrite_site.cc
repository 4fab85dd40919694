#include "data/rewrite_site.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;

AttrMap of_numbers() {
  AttrMap attrs;
  attrs.set("output_types", std::vector<DType>{DType::kInt64});
  attrs.set("output_shapes", std::vector<PartialShape>{PartialShape::scalar()});
  return attrs;
}

Result<RefPtr<const Dataset>> range(const DataStep& step, int64_t stop) {
  testing::Script script(0);
  return make_dataset(step.services, "RangeDataset", of_numbers(),
                      {Tensor::scalar<int64_t>(0), Tensor::scalar(stop), Tensor::scalar<int64_t>(1)},
                      *testing::scripted(script));
}

TINYTF_TEST(datasets_are_made_of_ops_and_of_origins) {
  DataStep step;
  const RefPtr<const Dataset> made = range(step, 3).take();
  EXPECT_EQ(made->cardinality(), 3);
  DatasetOrigin origin = made->origin();
  origin.inputs[1] = Tensor::scalar<int64_t>(5);
  const RefPtr<const Dataset> other = make_dataset(step.services, origin, *made).take();
  EXPECT_EQ(other->cardinality(), 5);
  EXPECT_EQ(other->site(), made->site());
}

TINYTF_TEST(datasets_that_cannot_be_made) {
  DataStep step;
  const std::vector<Tensor> numbers(3, Tensor::scalar<int64_t>(0));
  const RefPtr<const Dataset> replaced = range(step, 3).take();
  const auto made = [&](AttrMap attrs) {
    return make_dataset(step.services, "RangeDataset", std::move(attrs), numbers, *replaced).status();
  };
  EXPECT_EQ(made({}).code(), Code::kInvalidArgument);
  EXPECT_EQ(made(of_numbers()).message(), "step must be a non-zero integer.");
}

TINYTF_TEST(functions_come_in_the_order_of_attrs) {
  NodeInfo node;
  node.attrs.set("f", FuncRef{"one", {}});
  node.attrs.set("count", int64_t{2});
  node.attrs.set("branches", std::vector<FuncRef>{{"two", {}}, {"three", {}}});
  const std::vector<const FuncRef*> named = functions_named_by(node);
  EXPECT_EQ(named.size(), size_t{3});
  EXPECT_EQ(named[0]->name, "one");
  EXPECT_EQ(named[2]->name, "three");
}

TINYTF_TEST(what_a_site_knows_about_inputs) {
  DataStep step;
  const RefPtr<const Dataset> input = range(step, 3).take();
  const RewriteSite whole(step.services, {}, ~uint64_t{0}, 0);
  EXPECT(whole.is_constant(1) && !whole.is_constant(64));
  EXPECT(whole.joins(*input, "RangeDataset") && !whole.joins(*input, "TakeDataset"));
  const RewriteSite own(step.services, {}, 2, input->origin().maker);
  EXPECT(own.is_constant(1) && !own.is_constant(0));
  EXPECT(own.joins(*input, "RangeDataset"));
  const RewriteSite other(step.services, {}, 0, FunctionRunner::new_id());
  EXPECT(!other.joins(*input, "RangeDataset"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
