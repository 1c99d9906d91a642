#include "store/conformance.hpp"

#include <slabwise/store/directory_store.hpp>
#include <slabwise/store/memory_store.hpp>

#include "store/map_store.hpp"
#include "store/temporary_directory.hpp"

namespace conformance {

namespace {

map_store::map texts(std::map<std::string, std::string> const& objects) { return {objects.begin(), objects.end()}; }

struct in_memory {
    sw::memory_store make(std::map<std::string, std::string> const& objects) {
        return sw::memory_store(map_store::bytes_of(texts(objects)));
    }
};

struct the_least_that_is_a_store {
    map_store make(std::map<std::string, std::string> const& objects) { return map_store(texts(objects)); }
};

template <sw::file_maps Maps>
struct in_directory {
    sw::directory_store make(std::map<std::string, std::string> const& objects) {
        for (auto const& [key, text] : objects) directory.write(key, text);
        return sw::directory_store(directory.string(), Maps);
    }
    temporary_directory directory;
};

using makers = testing::Types<in_memory, the_least_that_is_a_store, in_directory<sw::file_maps::on>,
                              in_directory<sw::file_maps::off>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Stores, StoreConformance, makers);

}  // namespace

}  // namespace conformance
