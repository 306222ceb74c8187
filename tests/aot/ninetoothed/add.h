#ifndef NINETOOTHED_ADD_H
#define NINETOOTHED_ADD_H

#include "ninetoothed.h"

#ifdef __cplusplus
extern "C" NineToothedResult launch_add(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_0, NineToothedTensor ninetoothed_tensor_1, NineToothedTensor ninetoothed_tensor_2);
#else
NineToothedResult launch_add(NineToothedStream stream, NineToothedTensor ninetoothed_tensor_0, NineToothedTensor ninetoothed_tensor_1, NineToothedTensor ninetoothed_tensor_2);
#endif

#endif
