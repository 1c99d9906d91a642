"""Writes zip archives.

make_archives.py DIRECTORY           the archives that the tests open, by name
make_archives.py DIRECTORY METHOD    DIRECTORY.zip of all files below, by the zipfile method of that number
"""

import struct
import sys
import warnings
import zipfile
from pathlib import Path

CENTRAL = b"PK\x01\x02"
LOCAL = b"PK\x03\x04"

root = Path(sys.argv[1])


def archive(name, members, method=zipfile.ZIP_STORED):
    path = root / f"{name}.zip"
    with zipfile.ZipFile(path, "w", method) as opened:
        for key, content in members:
            opened.writestr(key, content)
    return path


def patched(path, headers, value):
    """Overwrites bytes of each header, given as pairs of its magic number and an offset."""
    content = bytearray(path.read_bytes())
    for magic, offset in headers:
        at = content.index(magic) + offset
        content[at : at + len(value)] = value
    path.write_bytes(content)


if len(sys.argv) == 3:
    with zipfile.ZipFile(f"{root}.zip", "w", int(sys.argv[2])) as opened:
        for file in sorted(root.rglob("*")):
            opened.write(file, file.relative_to(root))
    sys.exit()

warnings.simplefilter("ignore")
text = bytes(range(256)) * 40
archive("duplicates", [("a/b", "first"), ("c", "alone"), ("a/b", "the last")])
archive("bad_names", [("/absolute", "1"), ("../out", "2"), ("a//b", "3"), ("./c", "4"), ("kept", "5")])
archive("empty", [])
with zipfile.ZipFile(root / "zip64.zip", "w", zipfile.ZIP_DEFLATED) as opened:
    with opened.open("a", "w", force_zip64=True) as member:
        member.write(text)
archive("many", [(f"c/{i}", str(i)) for i in range(70_000)])  # more than the 16 bits of a count hold
archive("bzip2", [("a", text)], zipfile.ZIP_BZIP2)
archive("stored", [("a", text), ("b", "behind")])
archive("deflated", [("a", text), ("b", "behind")], zipfile.ZIP_DEFLATED)

stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
patched(archive("encrypted", [("a", text)]), [(LOCAL, 6), (CENTRAL, 8)], b"\1\0")
patched(archive("bad_checksum", [("a", text)]), [(LOCAL, 14), (CENTRAL, 16)], b"\0\0\0\0")
patched(archive("bad_checksum_deflated", [("a", text)], deflated), [(LOCAL, 14), (CENTRAL, 16)], b"\0\0\0\0")
bomb = struct.pack("<I", 0xFFFF_FFF0)
patched(archive("bomb", [("a", text)], deflated), [(LOCAL, 22), (CENTRAL, 24)], bomb)
patched(archive("longer_than_stored", [("a", text)]), [(LOCAL, 22), (CENTRAL, 24)], bomb)
patched(archive("behind_the_end", [("a", text)]), [(LOCAL, 18), (CENTRAL, 20), (LOCAL, 22), (CENTRAL, 24)], bomb)
more = struct.pack("<I", len(text) + 1)
patched(archive("one_more", [("a", text)], deflated), [(LOCAL, 22), (CENTRAL, 24)], more)
less = struct.pack("<I", len(text) - 1)
patched(archive("one_less", [("a", text)], deflated), [(LOCAL, 22), (CENTRAL, 24)], less)
patched(archive("far_header", [("a", text)]), [(CENTRAL, 42)], b"\xff\xff\xff\x7f")
