"""Files that `slabwise read` writes are complete or not there; full disks and closed pipes end it well."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
import zarr

from program import PROGRAM, output_of, run

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)

# Stands between the program and the system: there are no files without a name.
WITHOUT_UNNAMED_FILES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
int open(char const* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int const mode = va_arg(arguments, int);
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return ((int (*)(char const*, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
"""


class Output(unittest.TestCase):
    environment = None

    @classmethod
    def setUpClass(cls):
        cls.array = np.arange(6000, dtype="i4").reshape(60, 100)
        cls.path = str(root / "small.zarr")
        zarr.save_array(cls.path, cls.array, compressor=None)
        # Many chunks, each to be looked for, keep the program busy for seconds: it can be ended amid its work.
        cls.slow = root / "slow.zarr"
        zarr.open_array(str(cls.slow), "w", shape=(5 * 10**6, 8), chunks=(1, 8), dtype="i4", compressor=None)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=root))
        self.target = self.folder / "x.npy"

    def left_over(self):
        return sorted(path.name for path in self.folder.iterdir())

    def read(self, *arguments, **options):
        return run("read", self.path, *arguments, env=self.environment, **options)

    def test_is_written(self):
        done = self.read("--output", self.target)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        np.testing.assert_array_equal(np.load(self.target), self.array)
        self.assertEqual(self.left_over(), ["x.npy"])
        self.assertEqual(self.target.stat().st_mode & 0o777, 0o666 & ~current_mask())

    def test_in_the_working_directory(self):
        done = self.read("5", "--output", "here.npy", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_array_equal(np.load(self.folder / "here.npy"), self.array[5])

    def test_is_not_replaced_without_force(self):
        self.target.write_text("precious")
        done = self.read("--output", self.target)
        self.assertEqual(
            (done.returncode, done.stderr), (2, f"slabwise: --output {self.target} exists; --force replaces it\n")
        )
        self.assertEqual(self.target.read_text(), "precious")
        begin = time.monotonic()
        self.assertEqual(run("read", self.slow, "--output", self.target, env=self.environment).returncode, 2)
        self.assertLess(time.monotonic() - begin, 2)  # refused before it reads
        self.assertEqual(self.read("::2", "--output", self.target, "--force").returncode, 0)
        np.testing.assert_array_equal(np.load(self.target), self.array[::2])
        self.assertEqual(self.left_over(), ["x.npy"])

    def test_keeps_the_mode_of_the_file_that_it_replaces(self):
        for mode in [0o600, 0o640, 0o666, 0o400]:
            self.target.write_text("precious")
            self.target.chmod(mode)
            done = self.read("--output", self.target, "--force")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            np.testing.assert_array_equal(np.load(self.target), self.array)
            self.assertEqual(self.target.stat().st_mode & 0o777, mode)
            self.assertEqual(self.left_over(), ["x.npy"])
            self.target.unlink()

    def test_stays_as_it_was_after_an_error(self):
        path = self.folder / "damaged.zarr"
        zarr.save_array(str(path), self.array, chunks=(10, 100), compressor=None)
        (path / "4.0").write_text("short")
        self.target.write_text("precious")
        done = run("read", path, "--output", self.target, "--force", env=self.environment)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.target.read_text(), "precious")
        self.assertEqual(self.left_over(), ["damaged.zarr", "x.npy"])

    def test_is_a_regular_file_in_a_directory_that_exists(self):
        for target, code, sentence in [
            ("/dev/full", 2, "--output /dev/full is not a regular file"),
            (self.folder, 2, f"--output {self.folder} is not a regular file"),
            (
                self.folder / "no/x.npy",
                1,
                f"--output {self.folder}/no/x.npy cannot be created: No such file or directory",
            ),
        ]:
            done = self.read("--output", target, "--format", "npy", "--force")
            self.assertEqual((done.returncode, done.stderr), (code, f"slabwise: {sentence}\n"))
        self.assertEqual(self.left_over(), [])

    def test_leaves_nothing_when_the_program_is_ended(self):
        for form in ["npy", "csv"]:
            for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] + (
                [signal.SIGKILL] if not self.environment else []
            ):
                with self.subTest(form=form, signal=number):
                    busy = subprocess.Popen(
                        [PROGRAM, "read", self.slow, "--output", self.target, "--format", form], env=self.environment
                    )
                    time.sleep(0.25)
                    self.assertIsNone(busy.poll())
                    busy.send_signal(number)
                    self.assertEqual(busy.wait(30), -number)
                    self.assertEqual(self.left_over(), [])

    def test_of_a_full_disk_is_an_error(self):
        # A limit on the size of files is a disk that root and others can fill alike.
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        for form in ["npy", "csv"]:
            done = self.read("--output", self.target, "--format", form, preexec_fn=limit)
            self.assertEqual(
                (done.returncode, done.stderr),
                (1, f"slabwise: --output {self.target} cannot be written: File too large\n"),
            )
            self.assertEqual(self.left_over(), [])

    @unittest.skipUnless(os.geteuid() == 0, "needs to mount a small disk")
    def test_of_a_small_disk_is_an_error(self):
        if (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", self.folder], stderr=subprocess.DEVNULL
            ).returncode
            != 0
        ):
            self.skipTest("may not mount")
        try:
            for form in ["npy", "csv"]:
                done = self.read("--output", self.target, "--format", form)
                self.assertEqual(
                    (done.returncode, done.stderr),
                    (1, f"slabwise: --output {self.target} cannot be written: No space left on device\n"),
                )
                self.assertEqual(self.left_over(), [])
        finally:
            subprocess.run(["umount", self.folder], check=True)


class OutputWithATemporaryName(Output):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        source, library = root / "unnamed.c", root / "unnamed.so"
        source.write_text(WITHOUT_UNNAMED_FILES)
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        cls.environment = {**os.environ, "LD_PRELOAD": str(library), "ASAN_OPTIONS": "verify_asan_link_order=0"}

    def test_the_name(self):
        busy = subprocess.Popen([PROGRAM, "read", self.slow, "--output", self.target], env=self.environment)
        time.sleep(0.25)
        self.assertEqual(self.left_over(), [f"x.npy.partial-{busy.pid}"])
        busy.terminate()
        busy.wait(30)


def current_mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


class StandardOutput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = str(root / "printed.zarr")
        zarr.save_array(cls.path, np.arange(2_000_000, dtype="i4"), compressor=None)

    def test_full_disk_is_one_error(self):
        for arguments in [
            ("read", self.path),
            ("read", self.path, "--format", "raw"),
            ("read", self.path, "--format", "csv"),
            ("info", self.path),
            ("plan", self.path),
            ("plan", self.path, "--json"),
            ("--help",),
            ("--version",),
        ]:
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(
                    (done.returncode, done.stderr),
                    (1, "slabwise: the standard output cannot be written: No space left on device\n"),
                )

    def test_broken_pipe_is_silent(self):
        for arguments in [
            ("read", self.path, "--format", "raw"),
            ("read", self.path, "--format", "csv"),
            ("read", self.path, "--format", "json"),
            ("plan", "--shape", "100000", "--chunks", "1", "--json", "--limit", "100000"),
        ]:
            with self.subTest(arguments=arguments):
                busy = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                busy.stdout.read(10)
                busy.stdout.close()
                self.assertEqual((busy.stderr.read(), busy.wait(30)), (b"", 0))
                busy.stderr.close()

    def test_svg_on_a_full_disk(self):
        target = root / "none/x.svg"
        done = run("plan", self.path, "--svg", target)
        self.assertEqual(
            (done.returncode, done.stderr),
            (1, f"slabwise: --svg {target} cannot be created: No such file or directory\n"),
        )


class Memory(unittest.TestCase):
    def test_large_reads_hold_no_second_copy(self):
        path = root / "large.zarr"
        zarr.open_array(
            str(path), "w", shape=(400, 1000, 100), chunks=(10, 1000, 100), dtype="i4", compressor=None
        )  # 160 MB of nothing

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (100 << 20, 100 << 20))

        if "asan" in subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout:
            self.skipTest("the sanitizer needs memory of its own")
        for form in ["npy", "csv"]:
            done = run("read", path, "--output", root / "large.npy", "--format", form, "--force", preexec_fn=limit)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
