#include <vector>
#include "mixer.hpp"

namespace audio {
namespace dsp {

using Sample = float;
template <typename T> concept Numeric = requires(T value) { value + value; };

/// Mixes channels. Any number.
template <typename T, int N = 2>
class API_EXPORT Mixer : public Base<T>, private detail::Holder {
 public:
  Mixer() : gain_(1) {}
  explicit Mixer(int channels);
  ~Mixer();
  virtual T gain(int channel) const = 0;
  static Mixer &shared();
  bool operator==(const Mixer &other) const { return gain_ == other.gain_; }
  operator bool() const;
  template <class U> void feed(U &&value);
  enum class Kind : int { Mono, Stereo };
  using Value = T;
  T level(int step) { return gain(step) + this->gain_; }

 private:
  T gain_;
  friend class Tester;
};

struct Point final {
  int x, y;
  Point(Point &&) = default;
};

}  // namespace dsp
}  // namespace audio

int audio::dsp::Mixer<float, 2>::gain(int channel) const { return channel; }
audio::dsp::Mixer<int>::Mixer(int channels) { feed<int>(channels); }

namespace {
int hidden = 3;
}

template <> void tune<int>(std::vector<int> &values) {
  for (auto &value : values) value = audio::dsp::helper(value);
  auto twice = [&values](int index) { return values[index] * 2; };
  auto [first, second] = split(values);
  try {
    auto *mixer = new audio::dsp::Mixer<float>(3);
    mixer->level(twice(first));
  } catch (const std::exception &problem) {
    report(problem.what());
  }
}

extern "C" {
int c_function(void);
}

int Thing::made = 0;
const std::string Thing::label{"made"};
template <typename T> T Box<T>::empty = T();
struct Hooks {
  int (*on_start)(int);
};
struct Copies {
  void *(*copy)(const void *from);
  void *made(int);
};
