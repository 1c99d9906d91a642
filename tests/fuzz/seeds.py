"""seeds.py DIRECTORY  writes what the fuzz targets start from: DIRECTORY/TARGET/..., codecs.jsonl with the configurations
that the inputs of the target codec choose from, and the words metadata.dict. The bytes are those of numcodecs, of
zarr-python, of the arrays that this tree holds, of tests/zarr/v3_writer.py, and of the stores of other software where
SLABWISE_CORPUS or ../shared/corpus beside this tree holds some."""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
tests = here.parent
sys.path.insert(0, str(tests / "zarr"))
sys.dont_write_bytecode = True

import numpy as np
import v3_writer

LONGEST = 4096
root = Path(sys.argv[1])
words = set()


def put(target, data):
    if len(data) > LONGEST:
        return
    directory = root / target
    directory.mkdir(parents=True, exist_ok=True)
    (directory / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def short_number(value):
    return value.to_bytes(2, "little")


def codecs():
    """Seeds of the targets codec and blosc: the first samples of each configuration that are short."""
    output = subprocess.run([sys.executable, "-W", "ignore", tests / "codec/encode_samples.py"], capture_output=True,
                            check=True).stdout
    configurations = []
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        told = json.loads(output[at:end])
        encoded = output[end + 1 : end + 1 + told["encoded"]]
        at = end + 1 + told["encoded"] + told["decoded"]
        name = told["name"]
        # How blosc decodes is told by its bytes alone.
        one = {"name": name, "configuration": {} if name == "blosc" else told["configuration"]}
        if one not in configurations:
            configurations.append(one)
        if told["decoded"] < 1 << 16:
            put("codec", short_number(configurations.index(one)) + short_number(told["decoded"]) + encoded)
            if name == "blosc":
                put("blosc", short_number(told["decoded"]) + encoded)
    (root / "codecs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in configurations))


def shards():
    """Seeds of the target shard: shards of each array in shards.jsonl, some inner chunks of which are absent."""
    draw = random.Random(20261207)
    for number, line in enumerate((here / "shards.jsonl").read_text().splitlines()):
        told = json.loads(line)
        shape = told["chunk_grid"]["configuration"]["chunk_shape"]
        fill = told["fill_value"]
        for i in range(8):
            values = [draw.choice([fill, draw.randint(0, 200)]) if i % 2 else draw.randint(0, 200)
                      for _ in range(int(np.prod(shape)))]
            chunk = np.array(values, told["data_type"]).reshape(shape)
            data = v3_writer.encode(chunk, told["codecs"], fill, draw)
            if data is not None:
                put("shard", bytes([number, i % 2]) + data)


def words_of(value):
    if isinstance(value, dict):
        for name, member in value.items():
            words.add(name)
            words_of(member)
    elif isinstance(value, list):
        for member in value:
            words_of(member)
    elif isinstance(value, str) and len(value) < 40:
        words.add(value)


def stores(directory):
    """Seeds of the target metadata: each metadata file below, alone and with the least chunk that is beside it."""
    for file in sorted(directory.rglob("*")):
        version = {"zarr.json": b"3", ".zarray": b"2", ".zgroup": b"2", ".zmetadata": b"2"}.get(file.name)
        if version is None:
            continue
        text = file.read_bytes()
        put("metadata", version + text)
        if len(text) <= LONGEST:
            words_of(json.loads(text))
        chunks = [other for other in file.parent.rglob("*") if re.fullmatch(r"(c|[0-9])[0-9.]*", other.name) and other.is_file()]
        for chunk in sorted(chunks, key=lambda other: (other.stat().st_size, other))[:1]:
            put("metadata", version + text + b"\0" + chunk.read_bytes())
            # The same from a store that maps.
            put("metadata", bytes([version[0] ^ 4]) + text + b"\0" + chunk.read_bytes())


def written(script):
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([sys.executable, "-W", "ignore", tests / "zarr" / script, directory, "1"], check=True,
                       stdout=subprocess.DEVNULL)
        stores(Path(directory))


codecs()
shards()
stores(tests / "zarr/zarrita")
for script in ["make_matrix.py", "make_v3.py"]:
    written(script)
corpus = Path(os.environ.get("SLABWISE_CORPUS") or tests.parent.parent / "shared/corpus")
if corpus.is_dir():
    stores(corpus)
quoted = [json.dumps(json.dumps(word)) for word in sorted(words) if word.isascii()]
(root / "metadata.dict").write_text("".join(word + "\n" for word in quoted))
