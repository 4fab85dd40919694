#include "data/captured_function.h"

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/function_answers.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::Answers;
using testing::DataStep;
using testing::Ends;
using testing::OpenHost;
using testing::Script;
using testing::scripted;

/// A function that answers as the test says, in a step.
struct Captured {
  explicit Captured(Element captured = {}) {
    step.services.functions = &answers;
    const KernelContext ctx(node, step.services, nullptr, nullptr, nullptr, 0);
    function = std::make_unique<CapturedFunction>(CapturedFunction::of(ctx, {"f", {}}, std::move(captured)).take());
    bound = function->bind(context).take();
  }
  ~Captured() { tasks->work().stop(); }

  const RefPtr<OpenHost> host = make_ref<OpenHost>();
  DataStep step{host.get()};
  Answers answers;
  const NodeInfo node;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  IteratorContext context{step.services, *tasks};
  std::unique_ptr<CapturedFunction> function;
  std::unique_ptr<BoundFunction> bound;
};

TINYTF_TEST(captured_tensors_follow_the_arguments) {
  Captured f({Tensor::scalar(1.f), Tensor::scalar(2.f)});
  EXPECT_EQ(f.function->captured().size(), 2u);
  f.answers.answers = {Tensor::scalar(int64_t{7})};
  Element element = {Tensor::scalar(0.f)};
  EXPECT_OK(f.bound->run(f.context, element));
  EXPECT_EQ(f.answers.asked, "f of 3");
  EXPECT_EQ(testing::number_of(element), 7);
  f.answers.status = invalid_argument("bad");
  EXPECT_EQ(f.bound->run(f.context, element).message(), "bad");
}

TINYTF_TEST(functions_are_captured_in_steps_only) {
  const NodeInfo node;
  const DataStep step;
  const KernelContext ctx(node, step.services, nullptr, nullptr, nullptr, 0);
  EXPECT_EQ(CapturedFunction::of(ctx, {"f", {}}, {}).status().code(), Code::kFailedPrecondition);
}

TINYTF_TEST(captured_functions_run_as_tasks) {
  Captured f({Tensor::scalar(1.f)});
  f.answers.answers = {Tensor::scalar(int64_t{7})};
  Ends ends;
  int64_t number = 0;
  const auto done = [&](const Status& status, std::vector<Tensor> results) {
    if (status.ok()) number = testing::number_of(results);
    ends.add(status);
  };
  f.bound->run_async(*f.tasks, {Tensor::scalar(0.f)}, done, nullptr);
  EXPECT_EQ(ends.wait_for(1)[0].code(), Code::kCancelled);  // There is no host.
  f.tasks->set_host(f.host.get());
  StageProfile& stage = f.tasks->measure();
  f.bound->run_async(*f.tasks, {Tensor::scalar(0.f)}, done, &stage);
  EXPECT_OK(ends.wait_for(2)[1]);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(f.answers.asked, "f of 2");
  EXPECT_EQ(stage.counts().calls, 0);
}

TINYTF_TEST(errors_of_nodes_tell_the_function) {
  Captured f;
  f.answers.status = invalid_argument("bad").at_node("n");
  Element element;
  EXPECT_EQ(f.bound->run(f.context, element).message(), "{{function_node f}} bad\n\t [[{{node n}}]]");
  EXPECT_EQ(f.bound->failure(invalid_argument("bad")).message(), "bad");
  EXPECT_OK(f.bound->failure(Status()));
}

TINYTF_TEST(a_function_may_end_a_sequence) {
  const Status end(Code::kOutOfRange, "at the end");
  Captured f;
  EXPECT(mapped(f.context, Status(), false).value() == Pulled::kElement);
  EXPECT_EQ(mapped(f.context, end, true).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(mapped(f.context, invalid_argument("bad"), false).status().message(), "bad");
  EXPECT_OK(f.tasks->early_end());
  EXPECT(mapped(f.context, end, false).value() == Pulled::kEnd);
  EXPECT_EQ(f.tasks->early_end().message(), "at the end");
}

TINYTF_TEST(functions_of_other_stages_end_no_sequence) {
  const Status error = stage_error(Status(Code::kOutOfRange, "at the end"), "Filter");
  EXPECT_EQ(error.code(), Code::kInternal);
  EXPECT(error.message().find("\"Iterator::Filter\" returned `OutOfRange`") != std::string::npos);
  EXPECT_EQ(stage_error(invalid_argument("bad"), "Filter").message(), "bad");
  EXPECT_OK(stage_error(Status(), "Filter"));
}

TINYTF_TEST(predicates_yield_one_bool) {
  EXPECT(predicate_value({Tensor::scalar(true)}).value());
  EXPECT(!predicate_value({Tensor::scalar(false)}).value());
  const Tensor two = Tensor::allocate(Allocator::process(), DType::kBool, Shape({2})).take();
  for (const Element& results : {Element(), Element{Tensor::scalar(1.f)}, Element{two}, Element{Tensor()},
                                 Element{Tensor::scalar(true), Tensor::scalar(true)}}) {
    EXPECT_EQ(predicate_value(results).status().code(), Code::kInvalidArgument);
  }
}

class NoWaker final : public Waker {
 public:
  void wake() override { EXPECT(false); }
};

TINYTF_TEST(functions_make_datasets) {
  Captured f;
  Script script(2);
  f.answers.answers = {tensor_of(scripted(script)).take()};
  Element element = {Tensor::scalar(0.f)};
  const auto iterator = make_inner_iterator(f.context, *f.bound, element).take();
  const auto waker = make_ref<NoWaker>();
  PullContext pulls{f.context, *waker};
  EXPECT(iterator->pull(pulls, element).value() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 0);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(iterator->save(f.context, writer));
  element = {Tensor::scalar(0.f)};
  const auto again = make_inner_iterator(f.context, *f.bound, element).take();
  StateReader reader(state);
  EXPECT_OK(again->restore(f.context, reader));
  EXPECT(again->pull(pulls, element).value() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 1);
}

TINYTF_TEST(functions_that_make_no_dataset) {
  Captured f;
  const auto status_of = [&](std::vector<Tensor> answers, const Status& status = Status()) {
    f.answers.answers = std::move(answers);
    f.answers.status = status;
    Element element = {Tensor::scalar(0.f)};
    return make_inner_iterator(f.context, *f.bound, element).status();
  };
  EXPECT_EQ(status_of({}).code(), Code::kInvalidArgument);
  EXPECT_EQ(status_of({Tensor::scalar(1.f)}).code(), Code::kInvalidArgument);
  EXPECT_EQ(status_of({}, invalid_argument("bad")).message(), "bad");
  EXPECT_EQ(status_of({}, Status(Code::kOutOfRange, "at the end")).code(), Code::kOutOfRange);
}

/// Its iterator makes the dataset again at each pull, by a function.
class Endless final : public Dataset {
 public:
  explicit Endless(BoundFunction*& function) : Dataset(testing::scripted_parts()), function_(function) {}
  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext&) const override {
    return std::unique_ptr<Iterator>(std::make_unique<It>(*this));
  }

 private:
  class It final : public IteratorOf<Endless> {
   public:
    using IteratorOf::IteratorOf;
    Result<Pulled> pull(PullContext& ctx, Element& element) override {
      element = {Tensor::scalar(0.f)};
      TINYTF_ASSIGN_OR_RETURN(inner_, make_inner_iterator(ctx, *dataset().function_, element));
      return inner_->pull(ctx, element);
    }
    Status save(IteratorContext&, StateWriter&) override { return Status(); }
    Status restore(IteratorContext&, StateReader&) override { return Status(); }

   private:
    std::unique_ptr<Iterator> inner_;
  };

  BoundFunction*& function_;
};

TINYTF_TEST(datasets_of_functions_nest_to_a_limit) {
  Captured f;
  BoundFunction* function = f.bound.get();
  f.answers.answers = {tensor_of(RefPtr<const Dataset>(make_ref<Endless>(function))).take()};
  Element element = {Tensor::scalar(0.f)};
  const auto iterator = make_inner_iterator(f.context, *f.bound, element).take();
  const auto waker = make_ref<NoWaker>();
  PullContext pulls{f.context, *waker};
  EXPECT_EQ(iterator->pull(pulls, element).status().code(), Code::kResourceExhausted);
  f.answers.answers.clear();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
