#include "ops/data_flow/shared/tensor_list_kernel.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

Tensor list_of(const Tensor& rows) {
  std::vector<int32_t> shape(rows.shape().dims().begin() + 1, rows.shape().dims().end());
  return OpRunner("TensorListFromTensor")
      .input(rows)
      .input(tensor<int32_t>({static_cast<int64_t>(shape.size())}, shape))
      .run()
      .take()[0];
}

Tensor three() { return list_of(tensor<float>({3}, {1, 2, 3})); }

const TensorList& list_in(const Tensor& handle, int64_t i = 0) {
  const auto* list = handle.data<Variant>()[i].get<TensorList>();
  TINYTF_CHECK(list != nullptr);
  return *list;
}

std::vector<float> elements_of(const Tensor& handle, int64_t i = 0) {
  std::vector<float> elements;
  const TensorList& list = list_in(handle, i);
  for (int64_t k = 0; k < list.size(); ++k) elements.push_back(*list.at(k).data<float>());
  return elements;
}

/// The output of an op on a list that is moved in or kept by the caller, and whether the list was updated in place.
struct Changed {
  Tensor result;
  bool in_place;
};
template <class Configure>
Changed change(const char* op, Tensor list, Configure configure) {
  const TensorList* before = &list_in(list);
  OpRunner runner(op);
  runner.input(std::move(list)).last_use(1);
  configure(runner);
  auto results = runner.run();
  EXPECT_OK(results.status());
  const Tensor result = results.value()[0];
  return {result, &list_in(result) == before};
}

struct Change {
  const char* op;
  void (*configure)(OpRunner&);
  std::vector<float> elements;
};
const Change kChanges[] = {
    {"TensorListPushBack", [](OpRunner& op) { op.input(tensor<float>({}, {4})); }, {1, 2, 3, 4}},
    {"TensorListPopBack",
     [](OpRunner& op) { op.input(tensor<int32_t>({}, {-1})).attr("element_dtype", DType::kFloat); },
     {1, 2}},
    {"TensorListSetItem",
     [](OpRunner& op) { op.input(tensor<int32_t>({}, {1})).input(tensor<float>({}, {7})); },
     {1, 7, 3}},
    {"TensorListResize", [](OpRunner& op) { op.input(tensor<int32_t>({}, {1})); }, {1}},
    {"TensorListScatterIntoExistingList",
     [](OpRunner& op) { op.input(tensor<float>({1}, {7})).input(tensor<int32_t>({1}, {2})); },
     {1, 2, 7}},
    {"TensorListConcatLists",
     [](OpRunner& op) { op.input(list_of(tensor<float>({1}, {4}))).attr("element_dtype", DType::kFloat); },
     {1, 2, 3, 4}},
};

TINYTF_TEST(a_list_that_nobody_else_has_is_changed_in_place) {
  for (const Change& one : kChanges) {
    const Changed changed = change(one.op, three(), one.configure);
    EXPECT(changed.in_place);
    EXPECT_EQ(elements_of(changed.result), one.elements);
  }
}

TINYTF_TEST(a_list_that_somebody_has_stays_what_it_is) {
  for (const Change& one : kChanges) {
    const Tensor kept = three();
    const Changed changed = change(one.op, kept, one.configure);
    EXPECT(!changed.in_place);
    EXPECT_EQ(elements_of(changed.result), one.elements);
    EXPECT_EQ(elements_of(kept), (std::vector<float>{1, 2, 3}));
    EXPECT(list_in(changed.result).at(0).buffer() == list_in(kept).at(0).buffer());
  }
}

TINYTF_TEST(a_list_that_another_handle_has_stays_what_it_is) {
  for (const Change& one : kChanges) {
    Tensor list = three();
    const Tensor copy = list.clone(Allocator::process()).take();
    EXPECT(!change(one.op, std::move(list), one.configure).in_place);
    EXPECT_EQ(elements_of(copy), (std::vector<float>{1, 2, 3}));
  }
}

TINYTF_TEST(rows_are_in_the_memory_of_the_tensor) {
  const Tensor rows = tensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor list = list_of(rows);
  EXPECT(list_in(list).at(1).buffer() == rows.buffer());
  const auto taken = OpRunner("TensorListGetItem")
                         .attr("element_dtype", DType::kFloat)
                         .input(list)
                         .input(tensor<int32_t>({}, {1}))
                         .input(tensor<int32_t>({}, {-1}))
                         .run();
  EXPECT_EQ(values<float>(taken.value()[0]), (std::vector<float>{3, 4}));
  EXPECT(taken.value()[0].buffer() == rows.buffer());
}

TINYTF_TEST(what_is_popped_belongs_to_who_popped_it) {
  Tensor list = OpRunner("EmptyTensorList")
                    .attr("element_dtype", DType::kFloat)
                    .input(tensor<int32_t>({}, {-1}))
                    .input(tensor<int32_t>({}, {-1}))
                    .run()
                    .take()[0];
  list = OpRunner("TensorListPushBack").input(std::move(list)).input(tensor<float>({2}, {1, 2})).run().take()[0];
  auto popped = OpRunner("TensorListPopBack")
                    .attr("element_dtype", DType::kFloat)
                    .input(std::move(list))
                    .input(tensor<int32_t>({}, {-1}))
                    .last_use(1)
                    .run();
  EXPECT(popped.value()[1].writable_in_place());
}

/// One slot is used as two inputs of the node.
TINYTF_TEST(a_list_that_is_put_into_itself_is_copied) {
  Tensor list = OpRunner("EmptyTensorList")
                    .attr("element_dtype", DType::kVariant)
                    .input(tensor<int32_t>({}, {-1}))
                    .input(tensor<int32_t>({}, {-1}))
                    .run()
                    .take()[0];
  NodeInfo node;
  node.name = "node";
  node.op = OpRegistry::global().find("TensorListPushBack");
  node.inputs = {{DType::kVariant, false}, {DType::kVariant, false}};
  EXPECT_OK(complete_node(node, {1, 1}));
  auto kernel = KernelRegistry::global().create(node);
  EXPECT_OK(kernel.status());
  SerialParallel serial;
  Cancellation cancellation;
  KernelServices step;
  step.allocator = &Allocator::process();
  step.parallel = &serial;
  step.cancellation = &cancellation;
  Slot slot{std::move(list)}, output;
  const int32_t inputs[] = {0, 0};
  KernelContext ctx(node, step, &slot, inputs, &output, 3);
  EXPECT_OK(kernel.value()->compute(ctx));
  EXPECT_EQ(list_in(slot.tensor).size(), 0);
  EXPECT_EQ(list_in(output.tensor).size(), 1);
  EXPECT_EQ(list_in(list_in(output.tensor).at(0)).size(), 0);
}

TINYTF_TEST(lists_of_a_vector_are_changed_in_place_together_or_not_at_all) {
  const auto push = [](Tensor lists) {
    return OpRunner("TensorListPushBackBatch")
        .input(std::move(lists))
        .input(tensor<float>({2}, {8, 9}))
        .last_use(1)
        .run()
        .take()[0];
  };
  Tensor lists = OpRunner("Pack").list({three(), three()}).run().take()[0];
  const TensorList* second = &list_in(lists, 1);
  lists = push(std::move(lists));
  EXPECT(&list_in(lists, 1) == second);
  EXPECT_EQ(elements_of(lists, 0), (std::vector<float>{1, 2, 3, 8}));
  const Tensor kept = lists.clone(Allocator::process()).take();
  lists = push(std::move(lists));
  EXPECT(&list_in(lists, 1) != second);
  EXPECT_EQ(elements_of(lists, 1), (std::vector<float>{1, 2, 3, 9, 9}));
  EXPECT_EQ(elements_of(kept, 1), (std::vector<float>{1, 2, 3, 9}));
}

TINYTF_TEST(layouts_fill_gaps_with_zeros) {
  SerialParallel serial;
  Layout layout;
  layout.add(1, tensor<float>({2}, {1, 2}));
  layout.add(4, tensor<float>({}, {3}));
  Tensor out = tensor<float>({6}, {9, 9, 9, 9, 9, 9});
  layout.write(out, serial);
  EXPECT_EQ(values<float>(out), (std::vector<float>{0, 1, 2, 0, 3, 0}));
  layout.add(5, tensor<float>({}, {4}));
  Layout full;
  full.add(0, tensor<float>({2}, {1, 2}));
  full.add(2, tensor<float>({4}, {3, 4, 5, 6}));
  full.write(out, serial);
  EXPECT_EQ(values<float>(out), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TINYTF_TEST(handles_of_nothing_are_told) {
  EXPECT_EQ(variant_text(Variant{}), "Variant<type:  value: empty>");
  const Tensor list = three();
  EXPECT_EQ(variant_text(*list.data<Variant>()), "Variant<type: tensorflow::TensorList value: TensorList<float>[3]>");
  const Tensor none = Tensor::allocate(Allocator::process(), DType::kVariant, Shape()).take();
  const auto length = OpRunner("TensorListLength").input(none).run();
  EXPECT_EQ(length.status().message(), "Input handle is not a list. Saw: 'Variant<type:  value: empty>'");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
