#include "ops/data_flow/shared/queue.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/queue_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using Ints = std::vector<int32_t>;

/// The values of an op that must complete immediately.
Ints taken(std::unique_ptr<QueueOp> op) {
  op->start();
  EXPECT(op->done());
  EXPECT_EQ(op->message(), "");
  return values<int32_t>(op->output());
}

void put(const Tensor& queue, const Ints& elements) {
  auto op = enqueue_many(queue, elements);
  EXPECT(op->start().done());
}

std::string closed_text(const Tensor& queue, int requested, int current) {
  return str_cat("FIFOQueue '", queue.data<ResourceHandle>()->name,
                 "' is closed and has insufficient elements (requested ", requested, ", current size ", current, ")");
}

TINYTF_TEST(queue_is_done_at_once_where_it_need_not_wait) {
  const Tensor q = fifo_queue(2);
  auto first = enqueue(q, 7);
  EXPECT_EQ(first->start().calls(), 1);
  EXPECT_EQ(size(q), 1);
  auto out = dequeue(q);
  EXPECT_EQ(out->start().calls(), 1);
  EXPECT_EQ(values<int32_t>(out->output()), Ints{7});
  EXPECT_EQ(out->output().rank(), 0);
  EXPECT_EQ(size(q), 0);
}

TINYTF_TEST(queue_shares_memory_but_copies_what_belongs_to_others) {
  struct Foreign final : Buffer {
    explicit Foreign(int32_t* value) : Buffer(value, sizeof *value, false) {}
  };
  const Tensor q = fifo_queue();
  const Tensor mine = Tensor::scalar<int32_t>(1);
  int32_t memory = 2;
  const Tensor theirs(DType::kInt32, Shape(), make_ref<Foreign>(&memory));
  QueueOp in("QueueEnqueueV2", q, {mine}), foreign("QueueEnqueueV2", q, {theirs});
  in.start();
  foreign.start();
  memory = 3;
  auto out = dequeue(q);
  EXPECT(out->start().output().raw() == mine.raw());
  EXPECT_EQ(taken(dequeue(q)), Ints{2});
}

TINYTF_TEST(queue_serves_waiting_dequeues_in_order) {
  const Tensor q = fifo_queue();
  auto first = dequeue(q), second = dequeue(q);
  EXPECT(!first->start().done());
  EXPECT(!second->start().done());
  put(q, {1});
  EXPECT(first->done() && !second->done());
  put(q, {2, 3});
  EXPECT(second->done());
  EXPECT_EQ(values<int32_t>(first->output()), Ints{1});
  EXPECT_EQ(values<int32_t>(second->output()), Ints{2});
  EXPECT_EQ(size(q), 1);
}

TINYTF_TEST(queue_serves_waiting_enqueues_in_order) {
  const Tensor q = fifo_queue(1);
  put(q, {0});
  auto first = enqueue(q, 1), second = enqueue(q, 2);
  EXPECT(!first->start().done());
  EXPECT(!second->start().done());
  EXPECT_EQ(taken(dequeue(q)), Ints{0});
  EXPECT(first->done() && !second->done());
  EXPECT_EQ(taken(dequeue(q)), Ints{1});
  EXPECT(second->done());
  EXPECT_EQ(taken(dequeue(q)), Ints{2});
}

TINYTF_TEST(queue_lets_nobody_overtake) {
  const Tensor q = fifo_queue(3);
  auto many = dequeue_many(q, 3), one = dequeue(q);
  many->start();
  put(q, {1});
  EXPECT(!one->start().done());  // the element belongs to the earlier op
  put(q, {2, 3});
  EXPECT(many->done() && !one->done());
  EXPECT_EQ(values<int32_t>(many->output()), (Ints{1, 2, 3}));
  put(q, {4});
  EXPECT(one->done());
  put(q, {5, 6});
  auto big = enqueue_many(q, {7, 8}), small = enqueue(q, 9);
  EXPECT(!big->start().done());
  EXPECT(!small->start().done());
  EXPECT_EQ(taken(dequeue_many(q, 5)), (Ints{5, 6, 7, 8, 9}));
  EXPECT(big->done() && small->done());
}

TINYTF_TEST(queue_is_as_it_was_where_there_is_no_memory) {
  const auto none = make_ref<Allocator>();
  none->set_limit(1);
  const Tensor q = fifo_queue();
  put(q, {1, 2, 3});
  auto in = enqueue_many(q, {4, 5}), out = dequeue_many(q, 2);
  EXPECT(in->allocate_from(*none).start().wait().code() == Code::kResourceExhausted);
  EXPECT(out->allocate_from(*none).start().wait().code() == Code::kResourceExhausted);
  EXPECT_EQ(size(q), 3);
  auto many = dequeue_many(q, 5), one = dequeue(q);
  many->allocate_from(*none).start();
  one->start();
  put(q, {4, 5});
  EXPECT(many->wait().code() == Code::kResourceExhausted);
  EXPECT(one->done());  // with the elements returned by the earlier op
  EXPECT_EQ(values<int32_t>(one->output()), Ints{1});
  EXPECT_EQ(taken(dequeue_many(q, 4)), (Ints{2, 3, 4, 5}));
}

TINYTF_TEST(queue_moves_batches_larger_than_itself_bit_by_bit) {
  const Tensor q = fifo_queue(2);
  auto in = enqueue_many(q, {1, 2, 3, 4, 5, 6, 7});
  EXPECT(!in->start().done());
  EXPECT_EQ(size(q), 2);
  EXPECT_EQ(taken(dequeue(q)), Ints{1});
  EXPECT_EQ(taken(dequeue_many(q, 5)), (Ints{2, 3, 4, 5, 6}));
  EXPECT(in->done());
  auto out = dequeue_many(q, 4);
  EXPECT(!out->start().done());
  EXPECT_EQ(size(q), 0);  // the 7 is taken
  for (int32_t value : {8, 9, 10}) put(q, {value});
  EXPECT(out->done());
  EXPECT_EQ(values<int32_t>(out->output()), (Ints{7, 8, 9, 10}));
}

TINYTF_TEST(queue_batches_of_nothing_do_not_wait) {
  const Tensor q = fifo_queue(1);
  put(q, {});
  EXPECT_EQ(taken(dequeue_many(q, 0)), Ints{});
  auto up_to = dequeue_up_to(q, 0);
  EXPECT_EQ(up_to->start().output().shape().to_string(), "[0]");
}

TINYTF_TEST(queue_forgets_a_cancelled_attempt_alone) {
  const Tensor q = fifo_queue();
  auto first = dequeue(q), second = dequeue(q);
  first->start();
  second->start();
  first->cancellation->cancel();
  EXPECT_EQ(first->message(), "Dequeue operation was cancelled");
  EXPECT(!second->done());
  put(q, {5});
  EXPECT_EQ(values<int32_t>(second->output()), Ints{5});
  second->cancellation->cancel();  // too late
  EXPECT_EQ(first->calls() + second->calls(), 2);
  EXPECT_EQ(second->message(), "");
}

TINYTF_TEST(queue_does_nothing_for_a_cancelled_step) {
  const Tensor q = fifo_queue();
  put(q, {1});
  for (auto op : {dequeue(q).release(), enqueue(q, 2).release(), close(q).release()}) {
    const std::unique_ptr<QueueOp> owner(op);
    op->cancellation->cancel();
    EXPECT_EQ(op->start().wait().code(), Code::kCancelled);
  }
  EXPECT_EQ(size(q), 1);
  EXPECT(!is_closed(q));
}

TINYTF_TEST(queue_puts_back_what_a_cancelled_dequeue_took) {
  const Tensor q = fifo_queue(2);
  auto many = dequeue_many(q, 6), one = dequeue(q);
  many->start();
  put(q, {1, 2, 3, 4});
  one->start();
  EXPECT(!many->done() && !one->done());
  many->cancellation->cancel();
  EXPECT_EQ(many->message(), "Dequeue operation was cancelled");
  EXPECT_EQ(values<int32_t>(one->output()), Ints{1});  // the next op continues with them
  EXPECT_EQ(size(q), 3);
  auto in = enqueue(q, 5);
  EXPECT(!in->start().done());
  EXPECT_EQ(taken(dequeue_many(q, 4)), (Ints{2, 3, 4, 5}));
}

TINYTF_TEST(queue_keeps_what_a_cancelled_enqueue_put_in) {
  const Tensor q = fifo_queue(2);
  auto many = enqueue_many(q, {1, 2, 3}), one = enqueue(q, 4);
  many->start();
  one->start();
  many->cancellation->cancel();
  EXPECT_EQ(many->message(), "Enqueue operation was cancelled");
  EXPECT_EQ(taken(dequeue_many(q, 3)), (Ints{1, 2, 4}));
  EXPECT(one->done());
}

TINYTF_TEST(queue_drains_after_close) {
  const Tensor q = fifo_queue();
  put(q, {1, 2, 3});
  EXPECT(!is_closed(q));
  EXPECT_EQ(close(q)->start().message(), "");
  EXPECT(is_closed(q));
  EXPECT_EQ(taken(dequeue(q)), Ints{1});
  auto many = dequeue_many(q, 3);
  EXPECT_EQ(many->start().wait().code(), Code::kOutOfRange);
  EXPECT_EQ(many->message(), closed_text(q, 3, 2));
  EXPECT_EQ(taken(dequeue_up_to(q, 3)), (Ints{2, 3}));
  EXPECT_EQ(dequeue(q)->start().message(), closed_text(q, 1, 0));
  EXPECT_EQ(dequeue_up_to(q, 3)->start().message(), closed_text(q, 3, 0));
  const std::string name = q.data<ResourceHandle>()->name;
  auto late = enqueue(q, 1);
  EXPECT_EQ(late->start().wait().code(), Code::kCancelled);
  EXPECT_EQ(late->message(), "FIFOQueue '" + name + "' is closed.");
  EXPECT_EQ(close(q)->start().message(), "Queue '" + name + "' is already closed.");
  EXPECT_EQ(close(q, true)->start().message(), "");
}

TINYTF_TEST(queue_close_ends_waiting_dequeues) {
  const Tensor q = fifo_queue();
  auto many = dequeue_many(q, 5), up_to = dequeue_up_to(q, 5), one = dequeue(q);
  many->start();
  put(q, {1, 2, 3});
  up_to->start();
  one->start();
  EXPECT_EQ(size(q), 0);
  close(q)->start();
  EXPECT_EQ(many->message(), closed_text(q, 2, 0));  // its three of five elements are returned
  EXPECT_EQ(values<int32_t>(up_to->output()), (Ints{1, 2, 3}));
  EXPECT_EQ(one->message(), closed_text(q, 1, 0));
}

TINYTF_TEST(queue_close_waits_for_pending_enqueues) {
  const Tensor q = fifo_queue(1);
  auto pending = enqueue_many(q, {1, 2}), closing = close(q), late = enqueue(q, 3);
  pending->start();
  EXPECT(!closing->start().done());
  EXPECT(!is_closed(q));
  late->start();
  EXPECT_EQ(taken(dequeue(q)), Ints{1});
  EXPECT(pending->done() && closing->done() && is_closed(q));
  EXPECT_EQ(late->message(), "FIFOQueue '" + q.data<ResourceHandle>()->name + "' is closed.");
  EXPECT_EQ(taken(dequeue(q)), Ints{2});
}

TINYTF_TEST(queue_close_may_cancel_pending_enqueues) {
  const Tensor q = fifo_queue(2);
  auto pending = enqueue_many(q, {1, 2, 3}), closing = close(q), never = close(q);
  pending->start();
  closing->start();
  never->start();
  never->cancellation->cancel();
  EXPECT_EQ(never->wait().code(), Code::kCancelled);
  EXPECT(!is_closed(q) && !closing->done());
  EXPECT_EQ(close(q, true)->start().message(), "");
  EXPECT_EQ(pending->message(), "Enqueue operation was cancelled");
  EXPECT_EQ(closing->wait().code(), Code::kCancelled);
  EXPECT(is_closed(q));
  EXPECT_EQ(taken(dequeue_many(q, 2)), (Ints{1, 2}));
}

TINYTF_TEST(queue_destroyed_with_waiting_attempts_ends_them) {
  Tensor q = fifo_queue(1);
  put(q, {1});
  auto in = enqueue(q, 2);
  in->start();
  in->drop_inputs();
  q = Tensor();
  EXPECT(!in->done());  // the step's Cancellation still references the queue
  in->cancellation.reset();
  EXPECT_EQ(in->calls(), 1);
  EXPECT_EQ(in->message(), "Enqueue operation was cancelled");
}

TINYTF_TEST(queue_elements_of_several_components) {
  const std::vector<DType> types = {DType::kFloat, DType::kString};
  const Tensor q = fifo_queue(-1, {{"component_types", types},
                                   {"shapes", std::vector<PartialShape>{PartialShape({2}), PartialShape::scalar()}}});
  const Tensor floats = tensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor strings = tensor<std::string>({3}, {"a", "b", "c"});
  EXPECT(QueueOp("QueueEnqueueManyV2", q, {floats, strings}).start().done());
  QueueOp one("QueueDequeueV2", q, {}, {{"component_types", types}});
  EXPECT(one.start().done());
  EXPECT_EQ(values<float>(one.output(0)), (std::vector<float>{1, 2}));
  EXPECT_EQ(values<std::string>(one.output(1)), std::vector<std::string>{"a"});
  QueueOp rest("QueueDequeueManyV2", q, {Tensor::scalar<int32_t>(2)}, {{"component_types", types}});
  EXPECT(rest.start().done());
  EXPECT_EQ(values<float>(rest.output(0)), (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(values<std::string>(rest.output(1)), (std::vector<std::string>{"b", "c"}));
}

TINYTF_TEST(queue_keeps_order_as_it_grows) {
  const Tensor q = fifo_queue();
  int32_t in = 0, out = 0;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 7; ++i) put(q, {in++});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(taken(dequeue(q)), Ints{out++});
  }
  EXPECT_EQ(size(q), in - out);
  while (out < in) EXPECT_EQ(taken(dequeue(q)), Ints{out++});
}

TINYTF_TEST(queue_refuses_what_does_not_fit) {
  const Tensor q = fifo_queue(-1, {{"component_types", std::vector<DType>{DType::kInt32, DType::kFloat}},
                                   {"shapes", std::vector<PartialShape>{PartialShape::scalar(), PartialShape({2})}}});
  const Tensor i = Tensor::scalar<int32_t>(1), two = tensor<float>({2}, {1, 2}), three = tensor<float>({3}, {1, 2, 3});
  EXPECT_EQ(QueueOp("QueueEnqueueV2", q, {i}).start().message(),
            "Signature mismatch, have: resource, int32-> expected: resource, int32, float->");
  EXPECT_EQ(QueueOp("QueueEnqueueV2", q, {i, i}).start().message(),
            "Signature mismatch, have: resource, int32, int32-> expected: resource, int32, float->");
  EXPECT_EQ(dequeue(q)->start().message(),
            "Signature mismatch, have: resource->int32 expected: resource->int32, float");
  EXPECT_EQ(dequeue_many(q, 1)->start().message(),
            "Signature mismatch, have: resource, int32->int32 expected: resource, int32->int32, float");
  EXPECT_EQ(QueueOp("QueueEnqueueV2", q, {i, three}).start().message(),
            "Shape mismatch in tuple component 1. Expected [2], got [3]");
  EXPECT_EQ(QueueOp("QueueEnqueueManyV2", q, {tensor<int32_t>({1}, {1}), two}).start().message(),
            "Shape mismatch in tuple component 1. Expected [1,2], got [2]");
  EXPECT_EQ(QueueOp("QueueEnqueueManyV2", q, {i, two}).start().message(),
            "Shape mismatch in tuple component 0. Expected a first dimension that counts the elements, got []");

  const Tensor any = fifo_queue(-1, {{"component_types", std::vector<DType>{DType::kInt32, DType::kFloat}},
                                     {"shapes", std::vector<PartialShape>{}}});
  EXPECT_EQ(QueueOp("QueueEnqueueManyV2", any, {tensor<int32_t>({1}, {1}), two}).start().message(),
            "All input tensors must have the same size in the 0th dimension. Component 1 has 2, and should have 1");
  const Tensor plain = fifo_queue(-1, {{"shapes", std::vector<PartialShape>{}}});
  EXPECT_EQ(dequeue_many(plain, 1)->start().message(),
            "FIFOQueue's DequeueMany and DequeueUpTo require the components to have specified shapes.");
  const Tensor ints = fifo_queue();
  EXPECT_EQ(dequeue_many(ints, -1)->start().message(), "DequeueManyOp requested -1 < 0 elements");
  EXPECT_EQ(dequeue_up_to(ints, -2)->start().message(), "DequeueUpToOp requested -2 < 0 elements");
}

TINYTF_TEST(queue_declarations_are_checked) {
  const auto declared = [](std::vector<PartialShape> shapes) {
    return OpRunner("FIFOQueueV2")
        .attr("component_types", std::vector<DType>{DType::kFloat})
        .attr("shapes", std::move(shapes))
        .run()
        .status()
        .message();
  };
  EXPECT_EQ(declared({PartialShape::scalar(), PartialShape::scalar()}),
            "Different number of component types.  Types: float, Shapes: [[], []]");
  EXPECT_EQ(declared({PartialShape::vector(kUnknownDim)}), "Shape [?] is not fully defined");
  EXPECT_EQ(OpRunner("QueueEnqueueV2")
                .input(fifo_queue())
                .list({Tensor::scalar<int32_t>(1)})
                .attr("timeout_ms", int64_t{5})
                .compute(nullptr)
                .message(),
            "Timeout not supported yet.");
}

TINYTF_TEST(queues_without_a_shared_name_are_private) {
  const Tensor one = fifo_queue(), other = fifo_queue();
  const std::string name = one.data<ResourceHandle>()->name;
  EXPECT(name != other.data<ResourceHandle>()->name);
  EXPECT_EQ(name.front(), '_');
  EXPECT_EQ(name.substr(name.size() - 2), "_q");
  EXPECT(one.data<ResourceHandle>()->resource != other.data<ResourceHandle>()->resource);
  EXPECT_EQ(one.data<ResourceHandle>()->resource->debug_string(), "FIFOQueue '" + name + "'");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
