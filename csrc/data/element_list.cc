#include "data/element_list.h"

#include <algorithm>

#include "data/iterator_state.h"

namespace tinytf::data {

namespace {

class ElementListIterator final : public IteratorOf<ElementList> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext&, Element& element) override {
    if (at_ == dataset().cardinality()) return Pulled::kEnd;
    element = dataset().elements()[static_cast<size_t>(at_++)];
    return Pulled::kElement;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("at", at_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(at_, state.get_int("at", 0, dataset().cardinality()));
    return Status();
  }

 private:
  int64_t at_ = 0;
};

}  // namespace

Result<Tensor> ElementList::tensor_of(std::shared_ptr<const NodeInfo> maker, std::shared_ptr<const ElementSpec> spec,
                                      Elements elements) {
  DatasetParts parts{{std::move(maker), {}}, std::move(spec), 1};
  for (const Element& element : *elements) {
    TINYTF_ASSIGN_OR_RETURN(const int levels, levels_around(element));
    parts.levels = std::max(parts.levels, levels);
  }
  return data::tensor_of(RefPtr<const Dataset>(make_ref<ElementList>(std::move(parts), std::move(elements))));
}

int64_t ElementList::bytes() const {
  int64_t sum = 0;
  for (const Element& element : *elements_) sum += data::bytes_of(element);
  return sum;
}

Result<std::unique_ptr<Iterator>> ElementList::make_iterator(IteratorContext&) const {
  return std::unique_ptr<Iterator>(std::make_unique<ElementListIterator>(*this));
}

}  // namespace tinytf::data
