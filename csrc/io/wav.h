#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tinytf {

/// Audio samples, frame by frame: one per channel, in [-1, 1].
struct Samples {
  const float* data;
  int64_t frames, channels;
  uint64_t rate;  ///< Frames per second.
};

/// Encodes a WAV file of 16 bits per sample; louder samples are clipped. InvalidArgument, in TensorFlow's words, for
/// audio that no file can hold.
Result<std::string> encode_wav(const Samples& samples);

}  // namespace tinytf
