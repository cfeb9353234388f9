// PBA+ includes this header of CUDA's samples and uses nothing of it.
#pragma once
