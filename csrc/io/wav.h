#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tinytf {

/// Samples of sound, frame by frame: one for each channel, 1 and -1 being the loudest.
struct Samples {
  const float* data;
  int64_t frames, channels;
  uint64_t rate;  ///< frames in a second
};

/// A WAV file of 16 bits a sample; what is too loud is clipped. InvalidArgument, in TensorFlow's words, for what no
/// file can hold.
Result<std::string> encode_wav(const Samples& samples);

}  // namespace tinytf
