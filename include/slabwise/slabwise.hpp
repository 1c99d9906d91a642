// Everything that needs no third party. Zarr and the interoperation with other libraries have headers of their own.
#pragma once

#include <slabwise/copy/strided_view.hpp>
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/plan/nested_plan.hpp>
#include <slabwise/plan/plan.hpp>
#include <slabwise/plan/rectilinear_axis.hpp>
#include <slabwise/plan/visit_rank.hpp>
#include <slabwise/source/memory_source.hpp>
#include <slabwise/source/typed_source.hpp>
#include <slabwise/store/directory_store.hpp>
#include <slabwise/store/memory_store.hpp>
#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/version.hpp>
