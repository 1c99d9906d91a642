// Writes the arrays beside this file by zarrita 0.7.5, and cases.json with reads of each: slices and the SHA-256 of the
// values that they select, little-endian. They are kept with the sources since machines without npm run the tests.
//
// With node 20 and npm, in a folder outside of the sources:
//     npm install zarrita@0.7.5 numcodecs@0.3.2 && node SOURCES/tests/zarr/zarrita/make.mjs
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const zarr = await import(pathToFileURL(path.resolve("node_modules/zarrita/dist/src/index.js")));
const root = import.meta.dirname;
const SELECTIONS = 30;

// Numbers at random, always the same.
let state = 20261204;
function below(end) {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * end);
}
const one_of = (list) => list[below(list.length)];

// How a value is put into little-endian bytes, how one is drawn, and the array that zarrita wants of them.
const integer = () => below(100) - (below(4) ? 0 : 50);
const TYPES = {
    bool: ["setUint8", () => below(2) === 1, zarr.BoolArray],
    int8: ["setInt8", () => below(256) - 128, Int8Array],
    uint8: ["setUint8", () => below(256), Uint8Array],
    int16: ["setInt16", integer, Int16Array],
    uint16: ["setUint16", () => below(65536), Uint16Array],
    int32: ["setInt32", integer, Int32Array],
    uint32: ["setUint32", () => below(2 ** 32), Uint32Array],
    int64: ["setBigInt64", () => BigInt(integer()) * 10n ** BigInt(below(17)), BigInt64Array],
    uint64: ["setBigUint64", () => BigInt(below(2 ** 32)) << BigInt(below(32)), BigUint64Array],
    float32: ["setFloat32", () => Math.fround(integer() / 7), Float32Array],
    float64: ["setFloat64", () => integer() / 7, Float64Array],
};
const bytes = (endian) => ({ name: "bytes", configuration: { endian } });
const transpose = (...order) => ({ name: "transpose", configuration: { order } });
const blosc = (cname, shuffle) => ({ name: "blosc", configuration: { cname, clevel: 5, shuffle, blocksize: 0 } });
const zstd = { name: "zstd", configuration: { level: 3 } };
const lz4 = { name: "lz4", configuration: { acceleration: 1 } };
const keys = (chunk_key_encoding) => ({ chunk_key_encoding });

// Type, shape, chunk shape, and what else is given to zarrita, or amended in the metadata that it wrote and reads again:
// it has no option for the key encoding, and cannot write the fill value of an int64 or uint64. Without codecs it writes
// "codecs": [], without a fill value "fill_value": null. Not here, since it does not write them: gzip, zlib, crc32c,
// shards, and float16 before node 24. Of two transposes it carries out one.
const ARRAYS = [
    ["int16", [13, 7], [5, 3], {}],
    ["float64", [], [], {}],
    ["int32", [], [], { fillValue: 7, is_absent: true, chunkSeparator: "." }],
    ["bool", [9, 8], [4, 3], { fillValue: true }],
    ["int8", [12, 11], [5, 4], { codecs: [transpose(1, 0), { name: "bytes" }], fillValue: -3 }],
    ["uint16", [31], [8], { codecs: [bytes("big"), zstd], fillValue: 40000 }],
    ["int32", [5, 4, 6], [2, 3, 4], { codecs: [transpose(2, 0, 1), bytes("big"), blosc("lz4", 1)] }],
    ["uint32", [6, 9], [4, 4], { codecs: [bytes("little"), blosc("zstd", 2)], fillValue: 4000000000 }],
    ["int64", [7, 5], [3, 4], { codecs: [bytes("little"), blosc("lz4hc", 0)], amended: { fill_value: -5 } }],
    ["uint64", [5, 7], [4, 2],
        { codecs: [bytes("big"), blosc("zlib", 1)], chunkSeparator: ".", amended: { fill_value: 0 } }],
    ["float32", [40], [11], { codecs: [bytes("little"), blosc("blosclz", 2)], fillValue: NaN }],
    ["float64", [3, 1, 8], [2, 1, 5], { codecs: [bytes("little"), lz4], fillValue: -Infinity }],
    ["uint8", [10, 9], [4, 9], { codecs: [{ name: "bytes" }, blosc("snappy", 1)], fillValue: 255 }],
    ["int16", [3, 4, 2, 5], [2, 3, 2, 2], { codecs: [transpose(3, 1, 0, 2), bytes("big"), zstd], chunkSeparator: "." }],
    ["float32", [4, 3, 5, 2], [3, 2, 3, 2], { codecs: [transpose(1, 3, 2, 0), bytes("little"), lz4], fillValue: 0.1 }],
    ["int32", [6, 7], [4, 3],
        { codecs: [transpose(1, 0), { name: "numcodecs.delta", configuration: { dtype: "<i4" } }, bytes("big")] }],
    ["uint16", [50], [12],
        { codecs: [bytes("little"), { name: "numcodecs.shuffle", configuration: { elementsize: 2 } },
            { name: "numcodecs.zstd", configuration: { level: 1 } }], dimensionNames: ["time"] }],
    ["float64", [4, 5, 3], [2, 2, 3], { codecs: [{ name: "transpose", configuration: { order: "F" } }, bytes("big")] }],
    ["bool", [6], [20], { codecs: [{ name: "bytes" }, { name: "numcodecs.lz4", configuration: { acceleration: 1 } }] }],
    ["int16", [4, 9], [3, 4], { fillValue: -1, amended: keys({ name: "v2" }) }],
    ["uint32", [4, 3, 5], [3, 2, 2],
        { codecs: [bytes("big")], amended: keys({ name: "v2", configuration: { separator: "/" } }) }],
    ["float32", [], [], { amended: keys({ name: "v2" }) }],
];

const product = (extents) => extents.reduce((a, b) => a * b, 1);

function drawn_slices(shape) {
    return shape.map((extent) => {
        const first = below(extent);
        const stop = first + 1 + below(extent - first);
        const stride = one_of([1, 1, 2, 3, 1 + below(extent)]);
        return below(5) < 2 ? [stop - 1, first === 0 ? null : first - 1, -stride] : [first, stop, stride];
    });
}

function indices([first, stop, stride]) {
    const list = [];
    if (stride > 0) for (let i = first; i < stop; i += stride) list.push(i);
    else for (let i = first; i > (stop ?? -1); i += stride) list.push(i);
    return list;
}

// The places in C order of what is selected.
function places(shape, slices) {
    return slices.reduce((found, slice, axis) => {
        const chosen = indices(slice);
        return found.flatMap((place) => chosen.map((i) => place * shape[axis] + i));
    }, [0]);
}

function little_endian(type, values) {
    const [put, , list] = TYPES[type];
    const size = new list(0).BYTES_PER_ELEMENT;
    const view = new DataView(new ArrayBuffer(size * values.length));
    values.forEach((value, i) => view[put](i * size, value, true));
    return new Uint8Array(view.buffer);
}

// Writes about two thirds of the chunks, and gives the values that the array then has.
async function write(store, name, type, shape, chunk_shape, { amended, is_absent, ...options }) {
    const at = zarr.root(store).resolve(name);
    await zarr.create(at, { dtype: type, shape, chunkShape: chunk_shape, ...options });
    const key = `/${name}/zarr.json`;
    const metadata = { ...JSON.parse(new TextDecoder().decode(store.get(key))), ...amended };
    if (amended) store.set(key, new TextEncoder().encode(JSON.stringify(metadata, null, 2)));
    const array = await zarr.open.v3(at, { kind: "array" });
    const fill = type.endsWith("int64") ? BigInt(metadata.fill_value ?? 0) : options.fillValue ?? 0;
    const values = Array(product(shape)).fill(fill);
    const [, draw, list] = TYPES[type];
    if (shape.length === 0) {
        if (!is_absent) await zarr.set(array, null, (values[0] = draw()));
        return values;
    }
    let written = 0;
    const chunk_counts = shape.map((extent, axis) => Math.ceil(extent / chunk_shape[axis]));
    const all = chunk_counts.map((count) => [0, count, 1]);
    for (const chunk of places(chunk_counts, all)) {
        if (written && below(3) === 0) continue;
        ++written;
        let rest = chunk;
        const box = chunk_counts.map((_, axis) => {
            const coord = Math.floor(rest / product(chunk_counts.slice(axis + 1)));
            rest -= coord * product(chunk_counts.slice(axis + 1));
            return [coord * chunk_shape[axis], Math.min((coord + 1) * chunk_shape[axis], shape[axis]), 1];
        });
        const box_shape = box.map(([first, stop]) => stop - first);
        const chosen = places(shape, box).map((place) => [place, draw()]);
        for (const [place, value] of chosen) values[place] = value;
        const typed = little_endian(type, chosen.map(([, value]) => value)).buffer;
        const data = new list(typed);
        const stride = box_shape.map((_, axis) => product(box_shape.slice(axis + 1)));
        await zarr.set(array, box.map(([first, stop]) => zarr.slice(first, stop)), { data, shape: box_shape, stride });
    }
    return values;
}

for (const name of fs.readdirSync(root)) {
    if (/^a\d+$/.test(name)) fs.rmSync(path.join(root, name), { recursive: true });
}
const store = new Map();
const cases = [];
for (const [number, [type, shape, chunk_shape, options]] of ARRAYS.entries()) {
    const name = `a${number}`;
    const values = await write(store, name, type, shape, chunk_shape, options);
    const reads = [];
    for (let i = 0; i < (shape.length ? SELECTIONS : 1); ++i) {
        const slices = i ? drawn_slices(shape) : shape.map((extent) => [0, extent, 1]);
        const selected = places(shape, slices).map((place) => values[place]);
        reads.push({ slices, sha256: createHash("sha256").update(little_endian(type, selected)).digest("hex") });
    }
    cases.push({ path: name, reads });
}
for (const [key, data] of store) {
    const file = path.join(root, key);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, data);
}
const lines = cases.map(({ path, reads }) =>
    `{"path": "${path}", "reads": [\n${reads.map((read) => JSON.stringify(read)).join(",\n")}]}`);
fs.writeFileSync(path.join(root, "cases.json"), `[${lines.join(",\n")}]\n`);
