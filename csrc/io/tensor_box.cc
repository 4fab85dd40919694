#include "io/tensor_box.h"

#include <algorithm>
#include <cstddef>

namespace tinytf {

TensorBox TensorBox::of(const TensorSlice& slice, const Shape& shape) {
  TensorBox box;
  for (int i = 0; i < shape.rank(); ++i) {
    const TensorSlice::Extent& extent = slice.extent(i);
    box.start.push_back(extent.start);
    box.length.push_back(extent.is_whole() ? shape.dim(i) : extent.length);
  }
  return box;
}

std::optional<TensorBox> shared_box(const TensorBox& a, const TensorBox& b) {
  TensorBox shared;
  for (size_t i = 0; i < a.start.size(); ++i) {
    const int64_t start = std::max(a.start[i], b.start[i]);
    const int64_t end = std::min(a.end(i), b.end(i));
    if (start >= end) return std::nullopt;
    shared.start.push_back(start);
    shared.length.push_back(end - start);
  }
  return shared;
}

namespace {

struct Part {
  TensorBox box;  // Clipped to the wanted box.
  size_t number;
};

constexpr int kMostCuts = 64;                // Maximum nesting of cuts; partitions need one per dimension.
constexpr std::ptrdiff_t kMostPaired = 256;  // Parts.

/// Whether two of the parts share an element. Cuts the parts into groups along one dimension after another, until each
/// group has one. Groups that no cut separates are compared in pairs; larger ones than kMostPaired, which do not occur
/// in practice, count as sharing, since the comparison would take too long.
bool overlap(Part* begin, Part* end, int cuts = kMostCuts) {
  if (end - begin < 2) return false;
  for (size_t d = 0; d < begin->box.start.size() && cuts > 0; ++d) {
    std::sort(begin, end, [d](const Part& a, const Part& b) { return a.box.start[d] < b.box.start[d]; });
    Part* group = begin;
    int64_t reached = begin->box.end(d);
    for (Part* part = begin + 1; part <= end; ++part) {
      if (part < end && part->box.start[d] < reached) {
        reached = std::max(reached, part->box.end(d));
        continue;
      }
      if (part == end && group == begin) break;
      if (overlap(group, part, cuts - 1)) return true;
      group = part;
      if (part < end) reached = part->box.end(d);
    }
    if (group == end) return false;
  }
  if (end - begin > kMostPaired) return true;
  for (const Part* a = begin; a < end; ++a) {
    if (std::any_of(a + 1, const_cast<const Part*>(end), [a](const Part& b) { return shared_box(a->box, b.box); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::vector<size_t>> parts_that_fill(const TensorBox& wanted, const std::vector<TensorBox>& parts) {
  std::vector<Part> sharing;
  int64_t elements = 0;
  const int64_t all = wanted.num_elements();
  if (all == 0) return std::vector<size_t>();
  for (size_t i = 0; i < parts.size(); ++i) {
    auto shared = shared_box(wanted, parts[i]);
    if (!shared) continue;
    if (shared->num_elements() > all - elements) return std::nullopt;
    elements += shared->num_elements();
    sharing.push_back({std::move(*shared), i});
  }
  if (elements != all || (wanted.rank() > 0 && overlap(sharing.data(), sharing.data() + sharing.size())))
    return std::nullopt;
  std::vector<size_t> numbers;
  for (const Part& part : sharing) numbers.push_back(part.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

SharedRuns::SharedRuns(const TensorBox& from, const TensorBox& to) {
  const auto shared = shared_box(from, to);
  if (!shared) {
    done_ = true;
    return;
  }
  run_.count = 1;
  int64_t from_stride = 1, to_stride = 1;
  bool one_piece = true;
  for (size_t i = shared->start.size(); i-- > 0;) {
    run_.from += (shared->start[i] - from.start[i]) * from_stride;
    run_.to += (shared->start[i] - to.start[i]) * to_stride;
    if (one_piece) {
      run_.count *= shared->length[i];
      one_piece = shared->length[i] == from.length[i] && shared->length[i] == to.length[i];
    } else if (shared->length[i] > 1) {
      steps_.insert(steps_.begin(), {shared->length[i], from_stride, to_stride});
    }
    from_stride *= from.length[i];
    to_stride *= to.length[i];
  }
  at_.resize(steps_.size());
}

bool SharedRuns::next(Run& run) {
  if (done_) return false;
  run = run_;
  size_t i = steps_.size();
  for (; i-- > 0;) {
    run_.from += steps_[i].from;
    run_.to += steps_[i].to;
    if (++at_[i] < steps_[i].count) return true;
    run_.from -= steps_[i].from * steps_[i].count;
    run_.to -= steps_[i].to * steps_[i].count;
    at_[i] = 0;
  }
  done_ = true;
  return true;
}

}  // namespace tinytf
