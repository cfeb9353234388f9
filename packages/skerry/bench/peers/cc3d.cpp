// Times cc3d's labels as its users get them (labels and count, one thread). Its header, in the user's checkout, is compiled
// in:
//   g++ -std=c++17 -O3 -I CHECKOUT/cc3d cc3d.cpp        the flags of its setup.py
//   cc3d FILE WIDTH HEIGHT DEPTH CONNECTIVITY [value]   prints {"medians": [ms], "count": n}
// Without `value` the input is binary, for which cc3d has a faster function; with it each value is a class. Labels go into
// memory touched before.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cc3d.hpp"
#include "cc3d_binary.hpp"

int main(int argc, char **argv) {
  const long width = atol(argv[2]), height = atol(argv[3]), depth = atol(argv[4]);
  const int connectivity = atoi(argv[5]);
  const bool byValue = argc > 6 && strcmp(argv[6], "value") == 0;
  const size_t voxels = size_t(width) * height * depth;
  std::vector<uint8_t> image(voxels);
  std::vector<uint32_t> labels(voxels, 1);
  FILE *stream = fopen(argv[1], "rb");
  if (!stream || fread(image.data(), 1, voxels, stream) != voxels) return 1;
  fclose(stream);
  size_t count = 0;
  std::vector<double> times;
  for (int round = 0; round < 4; round++) {
    const auto begin = std::chrono::steady_clock::now();
    std::fill(labels.begin(), labels.end(), 0);
    if (byValue) {
      const size_t most = std::min(cc3d::estimate_provisional_label_count(image.data(), width, voxels), voxels);
      cc3d::connected_components3d<uint8_t, uint32_t>(
          image.data(), width, height, depth, most, connectivity, labels.data(), count);
    } else {
      // The bound of its Python package: one label per 2 pixels, per 4 with 8 or 18 neighbours, per 8 with 26.
      const auto even = [](long side) { return side + (side & 1); };
      const size_t padded = size_t(even(width)) * even(height) * (depth > 1 ? even(depth) : 1);
      const int shift = connectivity == 26 ? 3 : connectivity == 8 || connectivity == 18 ? 2 : 1;
      cc3d::connected_components3d_binary<uint8_t, uint32_t>(
          image.data(), width, height, depth, (padded >> shift) + 1, connectivity, labels.data(), count);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (round > 0) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  printf("{\"medians\": [%.3f], \"count\": %zu}\n", times[1], count);
}
