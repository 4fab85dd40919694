#include "op/shape_context.h"

namespace tinytf {

namespace {

Status keep(const PartialShape& shape, PartialShape* out) {
  if (out) *out = shape;
  return Status();
}

}  // namespace

Status ShapeContext::with_rank(int i, int64_t rank, PartialShape* out) const {
  const PartialShape& shape = inputs_[i];
  if (!shape.known_rank()) return keep(PartialShape::unknown_of_rank(rank), out);
  if (shape.rank() != rank) return invalid_argument("Shape must be rank ", rank, " but is rank ", shape.rank());
  return keep(shape, out);
}

Status ShapeContext::with_rank_at_least(int i, int64_t rank, PartialShape* out) const {
  const PartialShape& shape = inputs_[i];
  if (shape.known_rank() && shape.rank() < rank) {
    return invalid_argument("Shape must be at least rank ", rank, " but is rank ", shape.rank());
  }
  return keep(shape, out);
}

Status ShapeContext::with_rank_at_most(int i, int64_t rank, PartialShape* out) const {
  const PartialShape& shape = inputs_[i];
  if (shape.known_rank() && shape.rank() > rank) {
    return invalid_argument("Shape must be at most rank ", rank, " but is rank ", shape.rank());
  }
  return keep(shape, out);
}

}  // namespace tinytf
