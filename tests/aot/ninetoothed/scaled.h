#ifndef NINETOOTHED_SCALED_H
#define NINETOOTHED_SCALED_H

#include "ninetoothed.h"

#ifdef __cplusplus
extern "C" NineToothedResult launch_scaled(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_9, NineToothedTensor ninetoothed_tensor_10, NineToothedTensor ninetoothed_tensor_11, NineToothedTensor ninetoothed_tensor_12);
#else
NineToothedResult launch_scaled(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_9, NineToothedTensor ninetoothed_tensor_10, NineToothedTensor ninetoothed_tensor_11, NineToothedTensor ninetoothed_tensor_12);
#endif

#endif
