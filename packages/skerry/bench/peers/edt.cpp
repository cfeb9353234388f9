// Times edt's exact distance maps as its users get them. Its header, in the user's checkout, is compiled in:
//   g++ -std=c++17 -O3 -ffast-math -pthread -I CHECKOUT/src edt.cpp        the flags of its setup.py
//   edt FILE WIDTH HEIGHT DEPTH surface|sites THREADS   prints {"medians": [ms], "farthest": d}
// edt measures from inside objects to their background, so sites are its background. The map goes into memory touched before.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "edt.hpp"

int main(int argc, char **argv) {
  const int width = atoi(argv[2]), height = atoi(argv[3]), depth = atoi(argv[4]), threads = atoi(argv[6]);
  const bool surface = strcmp(argv[5], "surface") == 0;
  const size_t voxels = size_t(width) * height * depth;
  std::vector<uint8_t> mask(voxels), away(voxels);
  FILE *stream = fopen(argv[1], "rb");
  if (!stream || fread(mask.data(), 1, voxels, stream) != voxels) return 1;
  fclose(stream);
  auto at = [&](int x, int y, int z) { return mask[x + width * (y + size_t(height) * z)] != 0; };
  // Beyond the border there is no background, as in skerry.
  auto inside = [&](int x, int y, int z) {
    return (x == 0 || at(x - 1, y, z)) && (x + 1 == width || at(x + 1, y, z)) && (y == 0 || at(x, y - 1, z)) &&
           (y + 1 == height || at(x, y + 1, z)) && (z == 0 || at(x, y, z - 1)) && (z + 1 == depth || at(x, y, z + 1));
  };
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        away[x + width * (y + size_t(height) * z)] = !(at(x, y, z) && !(surface && inside(x, y, z)));
  std::vector<float> map(voxels, 1);
  std::vector<double> times;
  for (int round = 0; round < 4; round++) {
    const auto begin = std::chrono::steady_clock::now();
    if (depth > 1) {
      edt::binary_edt<uint8_t>(away.data(), width, height, depth, 1, 1, 1, false, threads, map.data());
    } else {
      edt::binary_edt<uint8_t>(away.data(), width, height, 1, 1, false, threads, map.data());
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (round > 0) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  printf("{\"medians\": [%.3f], \"farthest\": %.3f}\n", times[1], *std::max_element(map.begin(), map.end()));
}
