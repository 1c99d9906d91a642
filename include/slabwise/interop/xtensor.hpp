// Opt-in: xtensor's arrays as destinations, results and sources of reads, and its slices as selections.
#pragma once

#include <slabwise/interop/xtensor_array.hpp>
#include <slabwise/interop/xtensor_slice.hpp>
