// PBA+ includes this header of older CUDA releases and uses nothing of it.
#pragma once
