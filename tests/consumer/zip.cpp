#include <slabwise/store/zip_store.hpp>

int main() {
    try {
        slabwise::zip_store("there is no such archive.zip");
    } catch (slabwise::store_error const&) {
        return 0;
    }
    return 1;
}
