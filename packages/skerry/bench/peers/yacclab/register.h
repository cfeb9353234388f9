// Makes make_labeller() return the labeller of the file that is compiled in; see ../yacclab.cu.
#pragma once

#define REGISTER_LABELING(algorithm) \
  Labeller *make_labeller() { return new algorithm; }
#define REGISTER_KERNELS(...)
#define BLOCKSIZE_KERNEL(name, grid, block, shared, ...) name<<<grid, block, shared>>>(__VA_ARGS__);
