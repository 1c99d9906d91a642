#pragma once

/// The version of the library. CMake reads these three lines; they are the only place where it is written.
#define SLABWISE_VERSION_MAJOR 0
#define SLABWISE_VERSION_MINOR 1
#define SLABWISE_VERSION_PATCH 0
