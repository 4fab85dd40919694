#include "data/captured_function.h"

#include "op/kept_value.h"

namespace tinytf::data {

namespace {

/// An iterator of a dataset that a function made. Its stages know how deep they are.
class InnerIterator final : public Iterator {
 public:
  InnerIterator(std::unique_ptr<Iterator> iterator, const Dataset& dataset, int nesting)
      : dataset_(RefPtr<const Dataset>::share(&dataset)), iterator_(std::move(iterator)), nesting_(nesting) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    PullContext inner = ctx;
    inner.nesting = nesting_;
    inner.inner = dataset_.get();
    return iterator_->next(inner, element);
  }
  Result<Pulled> pull_rows(PullContext& ctx, int64_t size, BatchRows& rows) override {
    PullContext inner = ctx;
    inner.nesting = nesting_;
    inner.inner = dataset_.get();
    return iterator_->next_rows(inner, size, rows);
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    IteratorContext inner = ctx;
    inner.nesting = nesting_;
    inner.inner = dataset_.get();
    return iterator_->save(inner, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    IteratorContext inner = ctx;
    inner.nesting = nesting_;
    inner.inner = dataset_.get();
    return iterator_->restore(inner, state);
  }

 private:
  const RefPtr<const Dataset> dataset_;
  const std::unique_ptr<Iterator> iterator_;
  const int nesting_;
};

/// A function whose calls are measured as a part of a stage.
class MeasuredFunction final : public FunctionInstance {
 public:
  MeasuredFunction(RefPtr<FunctionInstance> function, StageProfile& stage, RefPtr<PipelineTasks> tasks)
      : FunctionInstance(function->argument_types(), function->result_types()),
        function_(std::move(function)),
        stage_(stage),
        tasks_(std::move(tasks)) {}

  Status run(const KernelServices& step, std::vector<Tensor>& arguments, std::vector<Tensor>& results) override {
    const StageFrame frame{&stage_, 0};
    const MeasuredCall call(&frame);
    const int64_t began = StageProfile::now();
    const Status status = function_->run(step, arguments, results);
    stage_.add_time(StageProfile::now() - began, 0);
    return status;
  }

 private:
  const RefPtr<FunctionInstance> function_;
  StageProfile& stage_;
  const RefPtr<PipelineTasks> tasks_;  // Owns the stage.
};

}  // namespace

Status BoundFunction::run(const IteratorContext& ctx, Element& element) {
  return call(ctx, element,
              [&] { return may_cancel_ ? run_apart(ctx, element) : function_->run(ctx.step, element, results_); });
}

Status BoundFunction::run_rows(const IteratorContext& ctx, Element& batch) {
  KernelServices step = ctx.step;
  step.stacks_rows = true;
  return call(ctx, batch, [&] { return function_->run(step, batch, results_); });
}

template <class Call>
Status BoundFunction::call(const IteratorContext& ctx, Element& element, Call call) {
  const MeasuredCall measured(ctx.frame);
  element.insert(element.end(), captured_.begin(), captured_.end());
  results_.clear();
  const Status status = call();
  element.swap(results_);
  results_.clear();  // Releases the arguments.
  return status.ok() ? status : failure(status);
}

Status BoundFunction::failure(const Status& error) const {
  if (error.ok() || error.message().find("{{node ") == std::string::npos) return error;
  return Status(error.code(), str_cat("{{function_node ", *name_, "}} ", error.message()), error.shared_origin());
}

Status BoundFunction::save(const StateWriter& state) const {
  StateWriter function = state.inside("function");
  return put_random_states(function, random_states());
}

Status BoundFunction::restore(const StateReader& state) const {
  TINYTF_ASSIGN_OR_RETURN(RandomStates states, get_random_states(state.inside("function")));
  function_->set_random_states(std::move(states));
  return Status();
}

/// A function that fails cancels the rest of its step. The pulling step may go on, so the function has a cancellation
/// of its own.
Status BoundFunction::run_apart(const IteratorContext& ctx, Element& element) {
  Cancellation cancellation;
  const CancelledWith step(*ctx.step.cancellation, cancellation);
  KernelServices services = ctx.step;
  services.cancellation = &cancellation;
  return function_->run(services, element, results_);
}

bool BoundFunction::maps_rows(const ElementSpec& spec) const {
  for (const PartialShape& shape : spec.shapes) {
    if (!shape.fully_defined() || shape != spec.shapes[0]) return false;
  }
  for (const Tensor& captured : captured_) {
    if (captured.rank() != 0) return false;
  }
  return function_->maps_rows(spec.types.size());
}

void BoundFunction::run_async(PipelineTasks& tasks, Element element, FunctionInstance::Done done, StageProfile* stage) {
  element.insert(element.end(), captured_.begin(), captured_.end());
  if (const RefPtr<BackgroundHost> host = tasks.host()) {
    RefPtr<FunctionInstance> function = function_;
    if (stage != nullptr) {
      function = make_ref<MeasuredFunction>(function_, *stage, RefPtr<PipelineTasks>::share(&tasks));
    }
    function->run_async(tasks.work(), *host, std::move(element), std::move(done));
  } else {
    done(Status(Code::kCancelled, "The function cannot be run in the background"), {});
  }
}

Result<CapturedFunction> CapturedFunction::of(const KernelContext& ctx, const FuncRef& function, Element captured) {
  FunctionRunner* const runner = ctx.step().functions;
  if (runner == nullptr) {
    return failed_precondition("Function ", function.name, " can only be called while a step runs");
  }
  TINYTF_ASSIGN_OR_RETURN(RefPtr<FunctionSource> source, runner->source(function));
  for (Tensor& value : captured) {
    TINYTF_ASSIGN_OR_RETURN(value, kept_value(ctx, value));
  }
  return CapturedFunction(std::move(source), std::move(captured), function.name);
}

Result<std::unique_ptr<BoundFunction>> CapturedFunction::bind(const IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(RefPtr<FunctionInstance> function, source_->instantiate(ctx.step));
  return std::make_unique<BoundFunction>(std::move(function), captured_, name_);
}

Result<Pulled> mapped(const IteratorContext& ctx, const Status& status, bool keeps_cardinality) {
  if (status.ok()) return Pulled::kElement;
  if (status.code() != Code::kOutOfRange) return status;
  if (!keeps_cardinality) {
    ctx.tasks.note_early_end(status);
    return Pulled::kEnd;
  }
  return invalid_argument("Function invocation produced OutOfRangeError: ", status.message());
}

Status stage_error(const Status& status, std::string_view stage) {
  if (status.code() != Code::kOutOfRange) return status;
  return internal_error("Iterator \"Iterator::", stage,
                        "\" returned `OutOfRange`. This indicates an implementation error as `OutOfRange` errors are "
                        "not expected to be returned here. Original message: ",
                        status.message());
}

Result<std::unique_ptr<Iterator>> make_inner_iterator(IteratorContext& ctx, BoundFunction& function, Element& element) {
  TINYTF_RETURN_IF_ERROR(function.run(ctx, element));
  if (element.size() != 1) return invalid_argument("The function must return a single scalar of dtype DT_VARIANT.");
  TINYTF_ASSIGN_OR_RETURN(const Dataset* dataset, dataset_of(element[0]));
  return make_nested_iterator(ctx, *dataset);
}

Result<std::unique_ptr<Iterator>> make_nested_iterator(IteratorContext& ctx, const Dataset& dataset) {
  IteratorContext inner = ctx;
  inner.nesting += dataset.levels();
  inner.inner = &dataset;
  if (inner.nesting > Dataset::kMostLevels) {
    return Status(Code::kResourceExhausted, str_cat("Datasets that functions make are nested too deeply: the limit is ",
                                                    Dataset::kMostLevels, " levels"));
  }
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Iterator> iterator, dataset.make_iterator(inner));
  return std::unique_ptr<Iterator>(std::make_unique<InnerIterator>(std::move(iterator), dataset, inner.nesting));
}

Result<bool> predicate_value(const Element& results) {
  if (results.size() != 1 || results[0].dtype() != DType::kBool || results[0].num_elements() != 1) {
    return invalid_argument("`predicate` must return a scalar bool tensor.");
  }
  return *results[0].data<bool>();
}

}  // namespace tinytf::data
