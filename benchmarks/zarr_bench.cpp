// Reads of a Zarr array on disk, the page cache warm: f32 of 1560 x 128 x 256 in chunks of 256 x 64 x 128, raw, against
// netCDF-C's NCZarr, which wrote it; and raw and compressed, against the plain system calls and the decoding that such a
// read cannot do without. *Cold* reads open the array each time; *warm* ones are made of an array that is open, whose
// chunks were read twice before.
//
//     zarr_bench --serve     writes the arrays, prints their store, and answers each line `ARRAY cold|warm SELECTION` by
//                            the nanoseconds of a read; zarr_python.py asks so
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <blosc.h>
#include <fcntl.h>
#include <netcdf.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <slabwise/store/directory_store.hpp>
#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>

#include "bars.hpp"

namespace {

namespace sw = slabwise;
using bars::side;
using sw::index_t;

constexpr sw::shape<3> extents{1560, 128, 256};
constexpr sw::shape<3> chunk_extents{256, 64, 128};
constexpr std::size_t cache_bytes = std::size_t{512} << 20;

struct selection {
    char const* name;
    std::array<sw::slice, 3> slices;

    index_t count(std::size_t axis) const { return slices[axis].count(); }
    index_t elements() const { return count(0) * count(1) * count(2); }
};

sw::slice one(index_t index) { return {index, index + 1}; }

std::vector<selection> const& selections() {
    static std::vector<selection> const all{
        {"all", {sw::slice{0, 1560}, sw::slice{0, 128}, sw::slice{0, 256}}},
        {"box", {sw::slice{100, 1100}, sw::slice{10, 110}, sw::slice{20, 220}}},
        {"every_2nd", {sw::slice{0, 1560, 2}, sw::slice{0, 128, 2}, sw::slice{0, 256, 2}}},
        {"strided", {sw::slice{5, 1505, 3}, sw::slice{3, 123, 4}, sw::slice{1, 253, 7}}},
        {"series", {sw::slice{0, 1560}, one(50), one(60)}},
        {"slab", {one(700), sw::slice{0, 128}, sw::slice{0, 256}}},
    };
    return all;
}

/// Like a surface temperature: a seasonal and a zonal wave, and weather of steps of 1/64 K, as archives round it.
float element_at(index_t i, index_t j, index_t k) {
    static auto const wave = [](double amplitude, double period) {
        std::array<float, 1560> values{};
        for (std::size_t at = 0; at < values.size(); ++at) {
            values[at] = static_cast<float>(std::round(amplitude * std::sin(6.283185307 * static_cast<double>(at) / period)));
        }
        return values;
    };
    static auto const season = wave(12, 365);
    static auto const zone = wave(30, 256);
    auto noise = static_cast<std::uint32_t>(i * 131071 + j * 8191 + k) * 2654435761U;
    noise = (noise ^ (noise >> 15)) * 2246822519U;
    return 273.0F + season[static_cast<std::size_t>(i)] + zone[static_cast<std::size_t>(j)] +
           static_cast<float>(noise >> 25) / 64.0F;
}

void check(int status, char const* what) {
    bars::require(status == NC_NOERR, std::string(what) + ": " + nc_strerror(status));
}

/// The directory of the benchmark's array, written by netCDF-C.
class written_array {
public:
    written_array() {
        std::string name = (std::filesystem::temp_directory_path() / "slabwise-bench-XXXXXX").string();
        bars::require(::mkdtemp(name.data()) != nullptr, "a temporary directory");
        directory_ = name;
        int file = 0;
        int variable = 0;
        int dimensions[3];
        check(nc_create(url().c_str(), NC_CLOBBER | NC_NETCDF4, &file), "nc_create");
        std::size_t chunks[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::string const axis_name(1, "tyx"[axis]);
            check(nc_def_dim(file, axis_name.c_str(), static_cast<std::size_t>(extents[axis]), &dimensions[axis]),
                  "nc_def_dim");
            chunks[axis] = static_cast<std::size_t>(chunk_extents[axis]);
        }
        check(nc_def_var(file, "pr", NC_FLOAT, 3, dimensions, &variable), "nc_def_var");
        check(nc_def_var_chunking(file, variable, NC_CHUNKED, chunks), "nc_def_var_chunking");
        check(nc_enddef(file), "nc_enddef");
        std::vector<float> values;
        values.reserve(static_cast<std::size_t>(extents.element_count()));
        for (index_t i = 0; i < extents[0]; ++i) {
            for (index_t j = 0; j < extents[1]; ++j) {
                for (index_t k = 0; k < extents[2]; ++k) values.push_back(element_at(i, j, k));
            }
        }
        check(nc_put_var_float(file, variable, values.data()), "nc_put_var_float");
        check(nc_close(file), "nc_close");
    }
    written_array(written_array const&) = delete;
    written_array& operator=(written_array const&) = delete;
    ~written_array() { std::filesystem::remove_all(directory_); }

    std::string store() const { return directory_ + "/array.zarr"; }
    std::string url() const { return "file://" + store() + "#mode=nczarr,file"; }

private:
    std::string directory_;
};

/// A compressor of the array beside the raw one.
struct compressor {
    char const* name;
    char const* metadata;
    std::vector<char> (*encode)(std::vector<float> const& chunk);
    void (*decode)(std::vector<char> const& encoded, std::vector<float>& chunk);
};

std::vector<compressor> const& compressors() {
    static std::vector<compressor> const all{
        {"zstd", R"({"id": "zstd", "level": 1})",
         [](std::vector<float> const& chunk) {
             std::size_t const bytes = chunk.size() * sizeof(float);
             std::vector<char> encoded(ZSTD_compressBound(bytes));
             encoded.resize(ZSTD_compress(encoded.data(), encoded.size(), chunk.data(), bytes, 1));
             return encoded;
         },
         [](std::vector<char> const& encoded, std::vector<float>& chunk) {
             std::size_t const bytes = chunk.size() * sizeof(float);
             bars::require(ZSTD_decompress(chunk.data(), bytes, encoded.data(), encoded.size()) == bytes, "zstd");
         }},
        {"blosc", R"({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0})",
         [](std::vector<float> const& chunk) {
             std::size_t const bytes = chunk.size() * sizeof(float);
             std::vector<char> encoded(bytes + BLOSC_MAX_OVERHEAD);
             int const size = blosc_compress_ctx(5, 1, sizeof(float), bytes, chunk.data(), encoded.data(), encoded.size(),
                                                 "lz4", 0, 1);
             bars::require(size > 0, "blosc");
             encoded.resize(static_cast<std::size_t>(size));
             return encoded;
         },
         [](std::vector<char> const& encoded, std::vector<float>& chunk) {
             std::size_t const bytes = chunk.size() * sizeof(float);
             bars::require(blosc_decompress_ctx(encoded.data(), chunk.data(), bytes, 1) == static_cast<int>(bytes), "blosc");
         }},
    };
    return all;
}

std::string chunk_path(std::string const& array, sw::coord_t<3> const& chunk) {
    return array + '/' + std::to_string(chunk[0]) + '.' + std::to_string(chunk[1]) + '.' + std::to_string(chunk[2]);
}

/// Writes the array once more, compressed.
void write_compressed(std::string const& array, compressor const& with) {
    std::filesystem::create_directories(array);
    std::ofstream(array + "/.zarray") << R"({"zarr_format": 2, "shape": [1560, 128, 256], "chunks": [256, 64, 128],
        "dtype": "<f4", "fill_value": 0, "order": "C", "filters": null, "compressor": )" << with.metadata << '}';
    sw::chunk_grid<3> const grid(extents, chunk_extents);
    auto const whole = sw::make_plan(grid, sw::hyperslab<3>::all(extents));
    std::vector<float> values(static_cast<std::size_t>(grid.chunk_elements()));
    for (auto const part : whole) {
        auto const coord = part.coord();
        std::size_t at = 0;
        for (index_t i = 0; i < chunk_extents[0]; ++i) {
            for (index_t j = 0; j < chunk_extents[1]; ++j) {
                for (index_t k = 0; k < chunk_extents[2]; ++k) {
                    values[at++] = element_at(coord[0] * chunk_extents[0] + i, coord[1] * chunk_extents[1] + j,
                                              coord[2] * chunk_extents[2] + k);
                }
            }
        }
        auto const encoded = with.encode(values);
        std::ofstream(chunk_path(array, coord), std::ios::binary)
            .write(encoded.data(), static_cast<std::streamsize>(encoded.size()));
    }
}

/// Reads a whole file into `to`, which becomes as long.
void read_file(std::string const& path, std::vector<char>& to) {
    int const file = ::open(path.c_str(), O_RDONLY);
    struct stat status {};
    bars::require(file >= 0 && ::fstat(file, &status) == 0, "open of " + path);
    to.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < to.size()) {
        ssize_t const got = ::read(file, to.data() + done, to.size() - done);
        bars::require(got > 0, "read of " + path);
        done += static_cast<std::size_t>(got);
    }
    ::close(file);
}

class netcdf_reader {
public:
    explicit netcdf_reader(std::string const& url) {
        check(nc_open(url.c_str(), NC_NOWRITE, &file_), "nc_open");
        check(nc_inq_varid(file_, "pr", &variable_), "nc_inq_varid");
        check(nc_set_var_chunk_cache(file_, variable_, cache_bytes, 1009, 0.75F), "nc_set_var_chunk_cache");
    }
    netcdf_reader(netcdf_reader const&) = delete;
    netcdf_reader& operator=(netcdf_reader const&) = delete;
    ~netcdf_reader() { nc_close(file_); }

    void read(selection const& wanted, std::vector<float>& to) const {
        std::size_t start[3];
        std::size_t count[3];
        std::ptrdiff_t stride[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            start[axis] = static_cast<std::size_t>(wanted.slices[axis].first());
            count[axis] = static_cast<std::size_t>(wanted.count(axis));
            stride[axis] = wanted.slices[axis].stride();
        }
        check(nc_get_vars_float(file_, variable_, start, count, stride, to.data()), "nc_get_vars_float");
    }

private:
    int file_ = 0;
    int variable_ = 0;
};

/// Reads each chunk's file, 28 in all, into its own place of one buffer.
void read_files(std::string const& array, std::vector<float>& to) {
    auto const chunk_bytes = static_cast<std::size_t>(chunk_extents.element_count()) * sizeof(float);
    auto* at = reinterpret_cast<std::byte*>(to.data());
    for (index_t i = 0; i < 7; ++i) {
        for (index_t j = 0; j < 2; ++j) {
            for (index_t k = 0; k < 2; ++k) {
                std::string const path = chunk_path(array, {i, j, k});
                int const file = ::open(path.c_str(), O_RDONLY);
                std::size_t done = 0;
                while (done < chunk_bytes) {
                    ssize_t const got = ::read(file, at + done, chunk_bytes - done);
                    bars::require(got > 0, "read of " + path);
                    done += static_cast<std::size_t>(got);
                }
                ::close(file);
                at += chunk_bytes;
            }
        }
    }
}

using array = sw::zarr::array<3>;

/// An array that stays open, with a cache that holds all.
class warm_array {
public:
    explicit warm_array(array const& opened) : cached_(opened, sw::chunk_cache(cache_bytes)) {}

    void read_into(selection const& wanted, sw::strided_view<float, 3> const& to) {
        reader_.read_into(sw::hyperslab<3>(wanted.slices), to);
    }

private:
    sw::cached_source<array> cached_;
    sw::reader<sw::cached_source<array>> reader_{cached_};
};

struct setting {
    written_array written;
    warm_array warm{open_array()};
    netcdf_reader netcdf{written.url()};
    std::vector<float> ours = faulted_in();
    std::vector<float> theirs = faulted_in();

    array open_array(char const* path = "pr") const {
        return sw::zarr::open<float, 3>(sw::directory_store(written.store()), path);
    }

    static std::vector<float> faulted_in() {
        // As much as the 28 whole chunks have, the edges too.
        return std::vector<float>(static_cast<std::size_t>(28 * chunk_extents.element_count()));
    }
    sw::strided_view<float, 3> view(selection const& wanted) {
        return {ours.data(), sw::shape<3>{wanted.count(0), wanted.count(1), wanted.count(2)}};
    }

    void read_opened(selection const& wanted, char const* path) {
        auto const opened = open_array(path);
        sw::read_into(opened, sw::hyperslab<3>(wanted.slices), view(wanted));
    }
    void read_cold(selection const& wanted) { read_opened(wanted, "pr"); }
    void read_warm(selection const& wanted) { warm.read_into(wanted, view(wanted)); }
    void read_netcdf_cold(selection const& wanted) { netcdf_reader(written.url()).read(wanted, theirs); }
    void read_netcdf_warm(selection const& wanted) { netcdf.read(wanted, theirs); }

    /// Reads and decodes the chunks that a selection touches, each to the same place.
    void decode_chunks(selection const& wanted, compressor const& with) {
        sw::chunk_grid<3> const grid(extents, chunk_extents);
        chunk.resize(static_cast<std::size_t>(grid.chunk_elements()));
        for (auto const part : sw::make_plan(grid, sw::hyperslab<3>(wanted.slices))) {
            read_file(chunk_path(written.store() + '/' + with.name, part.coord()), encoded);
            with.decode(encoded, chunk);
        }
    }
    std::vector<char> encoded;
    std::vector<float> chunk;

    void verify(selection const& wanted, std::vector<float> const& found) const {
        std::size_t at = 0;
        for (index_t i = 0; i < wanted.count(0); ++i) {
            for (index_t j = 0; j < wanted.count(1); ++j) {
                for (index_t k = 0; k < wanted.count(2); ++k) {
                    bars::require(found[at++] == element_at(wanted.slices[0][i], wanted.slices[1][j], wanted.slices[2][k]),
                                  wanted.name);
                }
            }
        }
    }
};

bars::offer make_offer() {
    auto const here = std::make_shared<setting>();
    bars::offer offered;
    for (selection const& wanted : selections()) {
        // Each way twice, so that what is warm is; with what is left in the destinations overwritten before.
        for (auto const read : {&setting::read_cold, &setting::read_warm, &setting::read_netcdf_cold,
                                &setting::read_netcdf_warm}) {
            for (int round = 0; round < 2; ++round) {
                bool const is_ours = read == &setting::read_cold || read == &setting::read_warm;
                auto& to = is_ours ? here->ours : here->theirs;
                std::fill_n(to.begin(), wanted.elements(), -1.0F);
                ((*here).*read)(wanted);
                here->verify(wanted, to);
            }
        }
        auto const elements = static_cast<double>(wanted.elements());
        auto const row = [&](std::string const& name, auto ours, auto theirs) {
            offered.rows.push_back({name + wanted.name, side{[here, &wanted, ours] { ((*here).*ours)(wanted); }, elements},
                                    side{[here, &wanted, theirs] { ((*here).*theirs)(wanted); }, elements}});
            return offered.rows.back();
        };
        auto const cold = row("raw_cold/", &setting::read_cold, &setting::read_netcdf_cold);
        auto const warm = row("raw_warm/", &setting::read_warm, &setting::read_netcdf_warm);
        std::string const name = wanted.name;
        bool const is_strided = name == "every_2nd" || name == "strided";
        double const cold_bound = is_strided || name == "series" ? 3 : 1;
        double const warm_bound = is_strided ? 8 : name == "series" ? 10 : 1;
        offered.promised.push_back({"zarr_raw_cold_over_nczarr_" + name, bars::better::higher, cold_bound,
                                    [cold] { return cold.times_faster(); }});
        offered.promised.push_back({"zarr_raw_warm_over_nczarr_" + name, bars::better::higher, warm_bound,
                                    [warm] { return warm.times_faster(); }});
    }
    for (compressor const& with : compressors()) {
        write_compressed(here->written.store() + '/' + with.name, with);
        for (selection const& wanted : selections()) {
            std::fill_n(here->ours.begin(), wanted.elements(), -1.0F);
            here->read_opened(wanted, with.name);
            here->verify(wanted, here->ours);
            bars::contest const row{std::string(with.name) + "_cold_over_decoding/" + wanted.name,
                                    side{[here, &wanted, &with] { here->read_opened(wanted, with.name); }},
                                    side{[here, &wanted, &with] { here->decode_chunks(wanted, with); }}};
            offered.rows.push_back(row);
            offered.promised.push_back({std::string("zarr_") + with.name + "_cold_over_decoding_time_" + wanted.name,
                                        bars::better::lower, 1.15, [row] { return bars::inverse(row.times_faster()); }});
        }
    }
    selection const& all = selections().front();
    auto const plain = bars::contest{"raw_cold_over_read/all", side{[here, &all] { here->read_cold(all); }},
                                     side{[here] { read_files(here->written.store() + "/pr", here->theirs); }}};
    offered.rows.push_back(plain);
    offered.promised.push_back({"zarr_raw_cold_all_over_plain_read_time", bars::better::lower, 1.3,
                                [plain] { return bars::inverse(plain.times_faster()); }});
    return offered;
}

/// Answers lines on standard input until it ends.
int serve() {
    setting here;
    std::map<std::string, std::unique_ptr<warm_array>> warm;
    warm["pr"] = std::make_unique<warm_array>(here.open_array());
    for (compressor const& with : compressors()) {
        write_compressed(here.written.store() + '/' + with.name, with);
        warm[with.name] = std::make_unique<warm_array>(here.open_array(with.name));
    }
    std::cout << here.written.store() << std::endl;
    std::string path;
    std::string temperature;
    std::string name;
    while (std::cin >> path >> temperature >> name) {
        for (selection const& wanted : selections()) {
            if (wanted.name != name) continue;
            bool const is_cold = temperature == "cold";
            side const read{[&] {
                if (is_cold) {
                    here.read_opened(wanted, path.c_str());
                } else {
                    warm.at(path)->read_into(wanted, here.view(wanted));
                }
            }};
            std::fill_n(here.ours.begin(), wanted.elements(), -1.0F);
            read.work();
            here.verify(wanted, here.ours);
            auto const times = read.times_a_sample();
            std::cout << 1e9 * read.seconds(times) / static_cast<double>(times) << std::endl;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--serve") == 0) return serve();
    return bars::run(argc, argv, make_offer);
}
