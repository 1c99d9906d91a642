// HDF5 reading hyperslabs of a written data set of bytes in memory (core driver), a rival.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hdf5.h>

#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/index/hyperslab.hpp>

namespace hdf5_rival {

using slabwise::index_t;

/// The byte that the data set holds at an index.
template <std::size_t R>
std::uint8_t element_at(slabwise::coord_t<R> const& index) {
    std::uint64_t hash = 1;
    for (index_t i : index) hash = (hash + static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::uint8_t>(hash >> 56);
}

/// Calls use(index) for each index of a box in C order.
template <std::size_t R, class Use>
void for_each_index(slabwise::shape<R> const& box, Use use) {
    slabwise::coord_t<R> index{};
    for (;;) {
        use(index);
        std::size_t d = R;
        while (d > 0 && ++index[d - 1] == box[d - 1]) index[--d] = 0;
        if (d == 0) return;
    }
}

/// A data set that holds element_at() everywhere. The newest file format has the fastest chunk index, and the chunk
/// cache holds all chunks.
template <std::size_t R>
class data_set {
public:
    explicit data_set(slabwise::chunk_grid<R> const& grid) {
        hid_t const access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_core(access, std::size_t{1} << 24, 0);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        std::string const name = "rank_" + std::to_string(R);  // of the file in memory
        file_ = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        std::array<hsize_t, R> extents;
        std::array<hsize_t, R> chunk;
        for (std::size_t d = 0; d < R; ++d) {
            extents[d] = static_cast<hsize_t>(grid.shape()[d]);
            chunk[d] = static_cast<hsize_t>(grid.chunk_shape()[d]);
        }
        hid_t const creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(creation, static_cast<int>(R), chunk.data());
        hid_t const caching = H5Pcreate(H5P_DATASET_ACCESS);
        H5Pset_chunk_cache(caching, 1'000'003, std::size_t{1} << 28, 0.0);
        space_ = H5Screate_simple(static_cast<int>(R), extents.data(), nullptr);
        data_ = H5Dcreate2(file_, "data", H5T_NATIVE_UINT8, space_, H5P_DEFAULT, creation, caching);
        std::vector<std::uint8_t> elements;
        elements.reserve(static_cast<std::size_t>(grid.shape().element_count()));
        for_each_index(grid.shape(), [&](slabwise::coord_t<R> const& index) { elements.push_back(element_at(index)); });
        H5Dwrite(data_, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
        H5Pclose(caching);
        H5Pclose(creation);
        H5Pclose(access);
    }
    data_set(data_set const&) = delete;
    data_set& operator=(data_set const&) = delete;
    ~data_set() {
        H5Dclose(data_);
        H5Sclose(space_);
        H5Fclose(file_);
    }

    /// Reads a hyperslab of positive strides: H5Sselect_hyperslab and H5Dread. **Ensures** returns true when both
    /// succeed.
    bool read(slabwise::hyperslab<R> const& slab, std::vector<std::uint8_t>& to) const {
        std::array<hsize_t, R> first;
        std::array<hsize_t, R> stride;
        std::array<hsize_t, R> count;
        for (std::size_t d = 0; d < R; ++d) {
            first[d] = static_cast<hsize_t>(slab[d].first());
            stride[d] = static_cast<hsize_t>(slab[d].stride());
            count[d] = static_cast<hsize_t>(slab[d].count());
        }
        hid_t const memory = H5Screate_simple(static_cast<int>(R), count.data(), nullptr);
        bool const succeeds =
            H5Sselect_hyperslab(space_, H5S_SELECT_SET, first.data(), stride.data(), count.data(), nullptr) >= 0 &&
            H5Dread(data_, H5T_NATIVE_UINT8, memory, space_, H5P_DEFAULT, to.data()) >= 0;
        H5Sclose(memory);
        return succeeds;
    }

private:
    hid_t file_;
    hid_t space_;
    hid_t data_;
};

}  // namespace hdf5_rival
