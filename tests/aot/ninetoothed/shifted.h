#ifndef NINETOOTHED_SHIFTED_H
#define NINETOOTHED_SHIFTED_H

#include "ninetoothed.h"

#ifdef __cplusplus
extern "C" NineToothedResult launch_shifted(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_17, NineToothedTensor ninetoothed_tensor_18, NineToothedTensor ninetoothed_tensor_19);
#else
NineToothedResult launch_shifted(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_17, NineToothedTensor ninetoothed_tensor_18, NineToothedTensor ninetoothed_tensor_19);
#endif

#endif
