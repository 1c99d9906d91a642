#include "any_reader.hpp"

#include <algorithm>
#include <array>

#include <slabwise/plan/rectilinear_axis.hpp>
#include <slabwise/transfer/reader.hpp>

namespace program {

namespace {

template <std::size_t R, class Grid>
class reader_of_rank final : public any_reader {
public:
    reader_of_rank(sw::zarr::array<R, Grid> array, std::optional<sw::conversion> const& convert)
        : array_(std::move(array)), reader_(array_), convert_(convert) {}

    void read(std::span<sw::slice const> slices, std::byte* data, std::span<std::int64_t const> byte_strides) override {
        std::array<sw::slice, R> each{};
        std::copy_n(slices.begin(), R, each.begin());
        sw::byte_destination<R> to{data, {}};
        std::copy_n(byte_strides.begin(), R, to.byte_strides.begin());
        auto const plan = sw::make_plan(reader_.grid(), sw::hyperslab<R>(each));
        missing_ += (convert_ ? reader_.read_bytes(plan, to, *convert_) : reader_.read_bytes(plan, to)).absent;
    }
    [[nodiscard]] std::int64_t missing_chunks() const override { return missing_; }

private:
    sw::zarr::array<R, Grid> array_;
    sw::reader<sw::zarr::array<R, Grid>> reader_;
    std::optional<sw::conversion> convert_;
    std::int64_t missing_ = 0;
};

}  // namespace

std::unique_ptr<any_reader> make_any_reader(sw::zarr::any_array const& array,
                                            std::optional<sw::conversion> const& convert) {
    return array.visit([&]<std::size_t R, class Grid>(sw::zarr::array<R, Grid> of_rank) -> std::unique_ptr<any_reader> {
        return std::make_unique<reader_of_rank<R, Grid>>(std::move(of_rank), convert);
    });
}

}  // namespace program
