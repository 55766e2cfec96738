#pragma once

namespace net {
template <typename T> class Pool {
 public:
  T take();
};
}  // namespace net
