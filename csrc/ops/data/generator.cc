#include "data/captured_function.h"
#include "op/guarded.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

/// The functions of a generator: the first one makes its state, which is an argument of the others.
template <class Function>
struct GeneratorFunctions {
  Function init, next, finalize;
};

class GeneratorDataset final : public Dataset {
 public:
  GeneratorDataset(DatasetParts parts, GeneratorFunctions<data::CapturedFunction> functions)
      : Dataset(std::move(parts)), functions_(std::move(functions)) {}

  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const GeneratorFunctions<data::CapturedFunction> functions_;
};

class GeneratorIterator final : public IteratorOf<GeneratorDataset> {
 public:
  using Functions = GeneratorFunctions<std::unique_ptr<data::BoundFunction>>;

  GeneratorIterator(const GeneratorDataset& dataset, Functions functions, RefPtr<data::PipelineTasks> tasks)
      : IteratorOf(dataset), functions_(std::move(functions)), tasks_(std::move(tasks)) {}
  ~GeneratorIterator() override {
    if (!has_begun_ || has_ended_) return;
    (void)guarded([this] {
      finalize_later();
      return Status();
    });
  }

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (has_ended_) return Pulled::kEnd;
    if (!has_begun_) {
      state_.clear();
      if (Status status = functions_.init->run(ctx, state_); !status.ok()) return unexpected_end("Generator", status);
      has_begun_ = true;
    }
    for (; skipped_ < yielded_; ++skipped_) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      Result<Pulled> pulled = next(ctx, element);
      if (!is_counted(ctx, pulled)) return pulled;
    }
    Result<Pulled> pulled = next(ctx, element);
    if (is_counted(ctx, pulled)) skipped_ = ++yielded_;
    return pulled;
  }
  /// A generator has no position that could be stored, so a restored one is run again up to its element.
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("has_ended", has_ended_);
    state.put_int("yielded", yielded_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(yielded_, state.get_int("yielded", 0, INT64_MAX - 1));
    has_ended_ = has_ended != 0;
    skipped_ = 0;
    return Status();
  }

 private:
  /// Whether the generator goes on behind what it yielded: an element, or an error of its own.
  static bool is_counted(const PullContext& ctx, const Result<Pulled>& pulled) {
    return pulled.ok() ? pulled.value() == Pulled::kElement : ctx.check().ok();
  }
  Result<Pulled> next(PullContext& ctx, Element& element) {
    element = state_;
    const Status status = functions_.next->run(ctx, element);
    if (status.ok()) return Pulled::kElement;
    if (status.code() != Code::kOutOfRange) return status;
    Element arguments = state_;
    const Status finalized = functions_.finalize->run(ctx, arguments);
    if (!finalized.ok()) return unexpected_end("Generator", finalized);  // As in TensorFlow, the next pull goes on.
    has_ended_ = true;
    state_.clear();
    return Pulled::kEnd;
  }

  /// Calls the last function for an iterator that goes before its end. That may happen under locks, when its pipeline
  /// has ended, so the function is called by a task of its own, if the session is still open.
  void finalize_later() {
    const auto own = make_ref<data::PipelineTasks>();
    own->set_host(tasks_->host().get());
    functions_.finalize->run_async(
        *own, std::move(state_), [own](const Status&, std::vector<Tensor>) {},
        /*stage=*/nullptr);
  }

  const Functions functions_;
  const RefPtr<data::PipelineTasks> tasks_;
  bool has_begun_ = false, has_ended_ = false;
  Element state_;        // Valid between begin and end.
  int64_t yielded_ = 0;  // Elements and errors before the position.
  int64_t skipped_ = 0;  // Fewer after a restoration: those that the generator has yielded again.
};

Result<IteratorPtr> GeneratorDataset::make_iterator(IteratorContext& ctx) const {
  GeneratorIterator::Functions bound;
  TINYTF_ASSIGN_OR_RETURN(bound.init, functions_.init.bind(ctx));
  TINYTF_ASSIGN_OR_RETURN(bound.next, functions_.next.bind(ctx));
  TINYTF_ASSIGN_OR_RETURN(bound.finalize, functions_.finalize.bind(ctx));
  return IteratorPtr(
      std::make_unique<GeneratorIterator>(*this, std::move(bound), RefPtr<data::PipelineTasks>::share(&ctx.tasks)));
}

class GeneratorKernel final : public DatasetKernel {
 public:
  explicit GeneratorKernel(KernelInit& init)
      : DatasetKernel(init),
        functions_{init.attr<FuncRef>("init_func"), init.attr<FuncRef>("next_func"),
                   init.attr<FuncRef>("finalize_func")},
        init_arguments_(list_length(init.node(), "Tinit_func_args")),
        next_arguments_(list_length(init.node(), "Tnext_func_args")),
        finalize_arguments_(list_length(init.node(), "Tfinalize_func_args")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    using data::CapturedFunction;
    const int next = init_arguments_, finalize = next + next_arguments_;
    TINYTF_ASSIGN_OR_RETURN(CapturedFunction init_function,
                            CapturedFunction::of(ctx, functions_.init, inputs_between(ctx, 0, init_arguments_)));
    TINYTF_ASSIGN_OR_RETURN(CapturedFunction next_function,
                            CapturedFunction::of(ctx, functions_.next, inputs_between(ctx, next, next_arguments_)));
    TINYTF_ASSIGN_OR_RETURN(
        CapturedFunction finalize_function,
        CapturedFunction::of(ctx, functions_.finalize, inputs_between(ctx, finalize, finalize_arguments_)));
    return RefPtr<const Dataset>(make_ref<GeneratorDataset>(
        std::move(parts), GeneratorFunctions<CapturedFunction>{std::move(init_function), std::move(next_function),
                                                               std::move(finalize_function)}));
  }

 private:
  const GeneratorFunctions<FuncRef> functions_;
  const int init_arguments_, next_arguments_, finalize_arguments_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_generator) {
  using namespace tinytf::ops;
  ops.op("GeneratorDataset")
      .input("init_func_other_args: Tinit_func_args")
      .input("next_func_other_args: Tnext_func_args")
      .input("finalize_func_other_args: Tfinalize_func_args")
      .output("handle: variant")
      .attr("init_func: func")
      .attr("next_func: func")
      .attr("finalize_func: func")
      .attr("Tinit_func_args: list(type) >= 0")
      .attr("Tnext_func_args: list(type) >= 0")
      .attr("Tfinalize_func_args: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the results of `next_func`, which is called with the results of `init_func` until it "
          "fails with OutOfRange; then `finalize_func` is called with them. Each function also gets its "
          "`other_args`.");
  kernels.add<GeneratorKernel>("GeneratorDataset");
}
