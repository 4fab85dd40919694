#include "ops/data/shared/seed_book.h"
#include "ops/data/shared/seed_generator_input.h"
#include "ops/data/shared/shuffle_buffer.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// While the buffer has elements of more rounds, it takes only one element before one is taken from it. A dataset that
/// is much smaller than the buffer therefore does not fill it.
constexpr size_t kMostRoundsOfShuffle = 3;

struct ShuffleOptions {
  int64_t buffer_size = 1;
  int64_t rounds = 1;  ///< over the input; negative: without end
  Seeds seeds;
  bool reshuffles = false;             ///< each iterator of a pipeline at the same place has other seeds
  RefPtr<SeedGenerator> shared_seeds;  ///< if not null, the seeds of iterators
};

class ShuffleDataset final : public UnaryDataset {
 public:
  ShuffleDataset(DatasetParts parts, RefPtr<const Dataset> input, ShuffleOptions options)
      : UnaryDataset(std::move(parts), std::move(input)), options_(std::move(options)) {}

  const ShuffleOptions& options() const { return options_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (options_.rounds < 0) return data::kInfiniteCardinality;
    if (n < 0 || options_.rounds == 1) return n;
    const Size total = Size(n) * options_.rounds;
    return total.ok() ? total.value() : data::kUnknownCardinality;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

  /// Null if all iterators have the same seeds.
  Result<RefPtr<SeedGenerator>> seed_generator(IteratorContext& ctx) const {
    if (options_.shared_seeds || !options_.reshuffles) return options_.shared_seeds;
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<SeedBook> book, SeedBook::of(ctx.tasks));
    return book->generator(ctx.place, levels(), options_.seeds);
  }

 private:
  const ShuffleOptions options_;
};

class ShuffleIterator final : public IteratorOf<ShuffleDataset> {
 public:
  ShuffleIterator(const ShuffleDataset& dataset, const RefPtr<SeedGenerator>& generator, uint64_t place)
      : IteratorOf(dataset),
        place_(place),
        seeds_(generator ? generator->next() : dataset.options().seeds),
        words_(std::make_unique<RandomWords>(seeds_.seed, seeds_.seed2)) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!has_started_) {
      TINYTF_RETURN_IF_ERROR(start_round(ctx));
      has_started_ = true;
    }
    while (input_ && buffer_.size() < dataset().options().buffer_size) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_RETURN_IF_ERROR(buffer_.reserve(ctx.allocator(), dataset().options().buffer_size));
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, pull_input(ctx, element));
      if (pulled == Pulled::kPending) return pulled;
      if (pulled == Pulled::kElement) TINYTF_RETURN_IF_ERROR(buffer_.push(ctx.allocator(), element));
      if (buffer_.rounds() > kMostRoundsOfShuffle) break;
    }
    if (buffer_.size() == 0) return Pulled::kEnd;
    const int64_t choices = buffer_.choices(), drawn = words_->drawn();
    const Status taken = buffer_.pop(ctx.allocator(), static_cast<int64_t>(words_->next()) % choices, element);
    if (!taken.ok()) {
      words_->set_drawn(drawn);
      return taken;
    }
    // The next choice, unless the number of choices changes meanwhile.
    const int64_t next_choices = input_ ? choices : choices - 1;
    if (next_choices > 0) buffer_.prefetch(static_cast<int64_t>(words_->peek()) % next_choices);
    return Pulled::kElement;
  }

  data::StageHeld held() const override { return {buffer_.size(), dataset().options().buffer_size, 0}; }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("seed", seeds_.seed);
    state.put_int("seed2", seeds_.seed2);
    state.put_int("drawn", words_->drawn());
    if (const auto& shared = dataset().options().shared_seeds) state.put_int("seeds_drawn", shared->drawn());
    state.put_int("round", round_);
    state.put_int("has_started", has_started_);
    state.put_int("is_empty", is_empty_);
    state.put_int("has_input", input_ != nullptr);
    StateWriter buffer = state.inside("buffer");
    TINYTF_RETURN_IF_ERROR(buffer_.save(ctx.allocator(), buffer));
    StateWriter input = state.inside("input");
    return input_ ? input_->save(ctx, input) : Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(seeds_.seed, state.get_int("seed"));
    TINYTF_ASSIGN_OR_RETURN(seeds_.seed2, state.get_int("seed2"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t drawn, state.get_int("drawn", 0, INT64_MAX));
    words_ = std::make_unique<RandomWords>(seeds_.seed, seeds_.seed2);
    words_->set_drawn(drawn);
    if (const auto& shared = dataset().options().shared_seeds) {  // Other generators are shared states.
      TINYTF_ASSIGN_OR_RETURN(const int64_t seeds_drawn, state.get_int("seeds_drawn", 0, INT64_MAX));
      shared->set_drawn(seeds_drawn);
    }
    TINYTF_ASSIGN_OR_RETURN(round_, state.get_int("round", 0, rounds() < 0 ? INT64_MAX : rounds()));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_started, state.get_int("has_started", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_empty, state.get_int("is_empty", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_input, state.get_int("has_input", 0, 1));
    has_started_ = has_started != 0;
    is_empty_ = is_empty != 0;
    const StateReader buffer = state.inside("buffer");
    TINYTF_RETURN_IF_ERROR(
        buffer_.restore(ctx.allocator(), buffer, dataset().input().spec(), dataset().options().buffer_size));
    input_ = nullptr;
    if (has_input == 0) return Status();
    TINYTF_RETURN_IF_ERROR(start_round(ctx));
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 private:
  int64_t rounds() const { return dataset().options().rounds; }
  Status start_round(IteratorContext& ctx) {
    const data::AtPlace here(ctx, place_);
    TINYTF_ASSIGN_OR_RETURN(input_, dataset().input().make_iterator(ctx));
    return Status();
  }

  /// An element of this or a later round. At the end of the last round there is no input any more.
  Result<Pulled> pull_input(PullContext& ctx, Element& element) {
    while (rounds() < 0 || round_ < rounds()) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      const Result<Pulled> pulled = input_->next(ctx, element);
      if (!pulled.ok() || pulled.value() == Pulled::kElement) is_empty_ = false;
      if (!pulled.ok() || pulled.value() != Pulled::kEnd) return pulled;
      if (is_empty_ && rounds() < 0) break;
      round_ = rounds() < 0 ? 0 : round_ + 1;
      buffer_.start_round();
      // As in TensorFlow, also behind the last round: a shuffle before this one draws seeds then.
      TINYTF_RETURN_IF_ERROR(start_round(ctx));
    }
    input_ = nullptr;
    return Pulled::kEnd;
  }

  const uint64_t place_;
  Seeds seeds_;
  std::unique_ptr<RandomWords> words_;
  ShuffleBuffer buffer_;
  IteratorPtr input_;  // Null before the first pull and after the last round.
  int64_t round_ = 0;  // Rounds that have ended, if they are counted.
  bool has_started_ = false;
  bool is_empty_ = true;  // Whether the input has yielded nothing so far.
};

Result<IteratorPtr> ShuffleDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<SeedGenerator> generator, seed_generator(ctx));
  return IteratorPtr(std::make_unique<ShuffleIterator>(*this, generator, ctx.place));
}

/// Kernel of all shuffles: V2 takes a seed generator in place of the seeds.
class ShuffleKernel final : public DatasetKernel {
 public:
  explicit ShuffleKernel(KernelInit& init)
      : DatasetKernel(init),
        reshuffles_(init.node().attrs.get<bool>("reshuffle_each_iteration") != nullptr &&
                    init.attr<bool>("reshuffle_each_iteration")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    ShuffleOptions options;
    options.reshuffles = reshuffles_;
    TINYTF_ASSIGN_OR_RETURN(options.buffer_size, scalar_input<int64_t>(ctx, 1, "buffer_size"));
    if (options.buffer_size <= 0) return invalid_argument("buffer_size must be greater than zero.");
    TINYTF_RETURN_IF_ERROR(ctx.num_inputs() == 3 ? read_generator(ctx, options) : read_seeds(ctx, options));
    return RefPtr<const Dataset>(make_ref<ShuffleDataset>(std::move(parts), std::move(input), std::move(options)));
  }

 private:
  static Status read_seeds(const KernelContext& ctx, ShuffleOptions& options) {
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed, scalar_input<int64_t>(ctx, 2, "seed"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed2, scalar_input<int64_t>(ctx, 3, "seed2"));
    options.seeds = Seeds::of(seed, seed2);
    if (ctx.num_inputs() < 5) return Status();
    TINYTF_ASSIGN_OR_RETURN(options.rounds, scalar_input<int64_t>(ctx, 4, "count"));
    if (options.rounds > 0 || options.rounds == -1) return Status();
    return invalid_argument("count must be greater than zero or equal to -1.");
  }
  static Status read_generator(const KernelContext& ctx, ShuffleOptions& options) {
    TINYTF_ASSIGN_OR_RETURN(options.shared_seeds, seed_generator_input(ctx, 2));
    return Status();
  }

  const bool reshuffles_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_shuffle) {
  using namespace tinytf::ops;
  ops.op("ShuffleDataset")
      .input("input_dataset: variant")
      .input("buffer_size: int64")
      .input("seed: int64")
      .input("seed2: int64")
      .output("handle: variant")
      .attr("reshuffle_each_iteration: bool = true")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2, 3>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input in random order: each is drawn from a buffer of "
          "`buffer_size` elements. If `reshuffle_each_iteration` is true, repetitions of the dataset have different "
          "orders, which the seeds determine.");
  kernels.add<ShuffleKernel>("ShuffleDataset");

  ops.op("ShuffleDatasetV2")
      .input("input_dataset: variant")
      .input("buffer_size: int64")
      .input("seed_generator: resource")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input in random order. Each iteration takes its seeds from "
          "`seed_generator`.");
  kernels.add<ShuffleKernel>("ShuffleDatasetV2");

  ops.op("ShuffleAndRepeatDataset")
      .input("input_dataset: variant")
      .input("buffer_size: int64")
      .input("seed: int64")
      .input("seed2: int64")
      .input("count: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2, 3, 4>)
      .no_gradient()
      .doc(
          "Makes a dataset that repeats the input `count` times, or without end if `count` is -1, and shuffles each "
          "repetition. The buffer of `buffer_size` elements takes elements of the next repetitions at the end of "
          "each.");
  kernels.add<ShuffleKernel>("ShuffleAndRepeatDataset");
}
