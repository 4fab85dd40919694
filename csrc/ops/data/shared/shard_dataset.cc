#include "ops/data/shared/shard_dataset.h"

namespace tinytf::ops {

namespace {

class ShardIterator final : public UnaryIterator<ShardDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (!has_result_) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled != Pulled::kElement) return pulled;
      if (next_++ % dataset().shards() != dataset().index()) continue;
      if (!dataset().needs_all() || next_ >= dataset().shards()) return Pulled::kElement;
      result_.swap(element);
      has_result_ = true;
    }
    return check_others(ctx, element);
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("next", next_);
    state.put_int("has_result", has_result_);
    TINYTF_RETURN_IF_ERROR(state.put_element("result", result_));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(next_, state.get_int("next", 0, INT64_MAX - 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_result, state.get_int("has_result", 0, 1));
    has_result_ = has_result != 0;
    TINYTF_ASSIGN_OR_RETURN(result_,
                            state.get_element("result", has_result_ ? dataset().input().spec() : ElementSpec()));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  /// Pulls an element for each of the other shards before the first one of this shard is yielded.
  Result<Pulled> check_others(PullContext& ctx, Element& element) {
    while (next_ < dataset().shards()) {
      Result<Pulled> pulled = ctx.check().ok() ? input().next(ctx, element) : Result<Pulled>(ctx.check());
      if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
      if (pulled.ok() && pulled.value() == Pulled::kElement) {
        ++next_;
        continue;
      }
      result_.clear();
      has_result_ = false;
      if (!pulled.ok() && pulled.status().code() != Code::kOutOfRange) return pulled;
      return invalid_argument(
          "There aren't enough elements in this dataset for each shard to have at least one element (# elems = ", next_,
          ", # shards = ", dataset().shards(),
          "). If you are using datasets with distribution strategy, consider turning dataset autosharding off with "
          "`tf.data.Options`.");
    }
    element.swap(result_);
    result_.clear();
    has_result_ = false;
    return Pulled::kElement;
  }

  int64_t next_ = 0;  // Elements of the input pulled so far.
  bool has_result_ = false;
  Element result_;  // Waits for check_others().
};

}  // namespace

Result<IteratorPtr> ShardDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<ShardIterator>(*this, ctx);
}

}  // namespace tinytf::ops
