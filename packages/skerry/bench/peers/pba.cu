// Times PBA+ (T.-T. Cao et al., 2010; J. Zheng and T.-S. Tan, 2019) on a resident volume. Its source, in the user's
// checkout, is compiled in:
//   nvcc -O3 -arch=native -I peers/pba -DPBA='"CHECKOUT/pba-plus-3D/pba/pba3DHost.cu"' pba.cu
//   pba FILE WIDTH HEIGHT DEPTH surface|sites   prints {"distance": ms, "side": n, "farthest": d}, the median of 5
// PBA+ takes cubes alone, so the volume lies in the smallest cube whose side is a multiple of 32. It returns the nearest site
// of each voxel, packed. The time excludes distances from those. `farthest` is the largest distance in the volume.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Texture references, which the source declares and does not use, are gone since CUDA 12.
template <class T>
struct texture {};
#include PBA

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t status = (call);                                                                 \
    if (status != cudaSuccess) {                                                                 \
      fprintf(stderr, "Error: %s failed: %s\n", #call, cudaGetErrorString(status));              \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

int main(int argc, char **argv) {
  const int width = atoi(argv[2]), height = atoi(argv[3]), depth = atoi(argv[4]);
  const bool surface = strcmp(argv[5], "surface") == 0;
  const size_t voxels = size_t(width) * height * depth;
  std::vector<unsigned char> mask(voxels);
  FILE *stream = fopen(argv[1], "rb");
  if (!stream || fread(mask.data(), 1, voxels, stream) != voxels) return 1;
  fclose(stream);
  const int side = (std::max({width, height, depth}) + 31) / 32 * 32;
  if (side > 1024) {
    fprintf(stderr, "Error: PBA+ packs coordinates into 10 bits, so sides are at most 1024\n");
    return 1;
  }
  auto at = [&](int x, int y, int z) { return mask[x + width * (y + size_t(height) * z)] != 0; };
  // Beyond the border there is no background, as in skerry.
  auto inside = [&](int x, int y, int z) {
    return (x == 0 || at(x - 1, y, z)) && (x + 1 == width || at(x + 1, y, z)) && (y == 0 || at(x, y - 1, z)) &&
           (y + 1 == height || at(x, y + 1, z)) && (z == 0 || at(x, y, z - 1)) && (z + 1 == depth || at(x, y, z + 1));
  };
  std::vector<int> sites(size_t(side) * side * side, MARKER);
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        if (at(x, y, z) && !(surface && inside(x, y, z)))
          sites[x + size_t(side) * (y + size_t(side) * z)] = ENCODE(x, y, z, 0, 0);
  pba3DInitialization(side);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  const auto warm = std::chrono::steady_clock::now();
  for (int round = 0; round < 5;) {
    CHECK(cudaMemcpy(pbaTextures[0], sites.data(), pbaMemSize, cudaMemcpyHostToDevice));
    pbaCurrentBuffer = 0;
    CHECK(cudaEventRecord(begin));
    pba3DCompute(1, 1, 2);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (std::chrono::steady_clock::now() - warm < std::chrono::milliseconds(400)) continue;
    times.push_back(milliseconds);
    round++;
  }
  CHECK(cudaMemcpy(sites.data(), pbaTextures[pbaCurrentBuffer], pbaMemSize, cudaMemcpyDeviceToHost));
  long farthest = 0;
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int u, v, w;
        DECODE(sites[x + size_t(side) * (y + size_t(side) * z)], u, v, w);
        farthest = std::max(farthest, long(u - x) * (u - x) + long(v - y) * (v - y) + long(w - z) * (w - z));
      }
  std::sort(times.begin(), times.end());
  printf("{\"distance\": %.4f, \"side\": %d, \"farthest\": %.3f}\n", times[2], side, std::sqrt(double(farthest)));
}
