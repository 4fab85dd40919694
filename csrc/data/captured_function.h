#pragma once

#include <memory>
#include <string>

#include "data/dataset.h"
#include "data/random_position.h"
#include "op/function_runner.h"

namespace tinytf::data {

/// A function with the captured tensors that follow its arguments, for one iterator, with state of its own. Used by one
/// thread at a time, but run_async.
class BoundFunction {
 public:
  BoundFunction(RefPtr<FunctionInstance> function, const Element& captured, std::shared_ptr<const std::string> name)
      : function_(std::move(function)),
        captured_(captured),
        name_(std::move(name)),
        may_cancel_(!function_->maps_rows(function_->argument_types().size() - captured_.size())) {}

  /// Replaces `element`, the arguments, by the results.
  Status run(const IteratorContext& ctx, Element& element);
  /// As run(), for a batch of elements, if the function maps rows.
  Status run_rows(const IteratorContext& ctx, Element& batch);
  /// Whether the function may be called with a batch of elements of this spec; see FunctionInstance::maps_rows.
  bool maps_rows(const ElementSpec& spec) const;
  /// Calls the function with `element` as a task of the pipeline; see FunctionInstance::run_async. A failure is
  /// reported as the function's if `done` passes it to failure(). The call is measured as a part of `stage`, unless
  /// that is null. Thread-safe.
  void run_async(PipelineTasks& tasks, Element element, FunctionInstance::Done done, StageProfile* stage);
  /// The error of a call with the name of the function, as TensorFlow adds it, so that messages can say where the
  /// function's nodes were created.
  Status failure(const Status& error) const;
  /// The state of the function's random operations.
  RandomStates random_states() const { return function_->random_states(); }
  void set_random_states(RandomStates states) const { function_->set_random_states(std::move(states)); }
  /// Writes or sets that state, a part of a stage's position. No call runs.
  Status save(const StateWriter& state) const;
  Status restore(const StateReader& state) const;
  const std::vector<DType>& result_types() const { return function_->result_types(); }

 private:
  template <class Call>
  Status call(const IteratorContext& ctx, Element& element, Call call);
  Status run_apart(const IteratorContext& ctx, Element& element);

  const RefPtr<FunctionInstance> function_;
  const Element captured_;
  const std::shared_ptr<const std::string> name_;
  const bool may_cancel_;  // Whether a failing call may cancel the step around it; not for element-wise ops.
  Element results_;        // Its memory is kept between calls.
};

/// A function that a dataset applies to elements. Immutable and thread-safe.
class CapturedFunction {
 public:
  /// `function` is a function of the graph of the kernel's node. FailedPrecondition outside a step, NotFound if the
  /// graph has no such function.
  static Result<CapturedFunction> of(const KernelContext& ctx, const FuncRef& function, Element captured);

  /// Makes an instance for an iterator. Fails with the error of compilation.
  Result<std::unique_ptr<BoundFunction>> bind(const IteratorContext& ctx) const;
  const Element& captured() const { return captured_; }

 private:
  CapturedFunction(RefPtr<FunctionSource> source, Element captured, std::string name)
      : source_(std::move(source)),
        captured_(std::move(captured)),
        name_(std::make_shared<const std::string>(std::move(name))) {}

  RefPtr<FunctionSource> source_;
  Element captured_;
  std::shared_ptr<const std::string> name_;
};

/// What a stage yields whose function ended with `status`. A function may end the sequence by OutOfRange, unless it has
/// to yield as many elements as it gets; the error is kept for the message at the end.
Result<Pulled> mapped(const IteratorContext& ctx, const Status& status, bool keeps_cardinality);
/// The error of a stage whose function failed with `status` and may not end the sequence: an OutOfRange becomes
/// Internal, with TensorFlow's text. `stage` is the stage's name there.
Status stage_error(const Status& status, std::string_view stage);

/// Makes an iterator of a dataset that a function made. ResourceExhausted if such datasets nest too deeply: a function
/// may make a dataset that calls the function.
Result<std::unique_ptr<Iterator>> make_nested_iterator(IteratorContext& ctx, const Dataset& dataset);

/// Makes an iterator of the dataset that the function makes of `element`, which it replaces. InvalidArgument if the
/// function yields no dataset; else fails as make_nested_iterator.
Result<std::unique_ptr<Iterator>> make_inner_iterator(IteratorContext& ctx, BoundFunction& function, Element& element);

/// The value of a predicate's results. InvalidArgument unless they are one scalar bool.
Result<bool> predicate_value(const Element& results);

}  // namespace tinytf::data
