#include <slabwise/store/directory_store.hpp>
#include <slabwise/zarr/array.hpp>

int main() {
    try {
        slabwise::zarr::open<float, 3>(slabwise::directory_store("missing"));
    } catch (slabwise::store_error const&) {
        return 0;
    }
    return 1;
}
