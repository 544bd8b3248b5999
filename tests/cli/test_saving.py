"""How files are written: whole or not at all, and never over an input."""

import os
import random
import re
import signal
import stat
import subprocess
import time

import pytest

from conftest import small_disk


# --- Outputs that are inputs -----------------------------------------------

@pytest.fixture
def files(gbnn):
    gbnn.table("x.csv", [[i, i % 3] for i in range(12)])
    gbnn.table("y.csv", [i % 2 for i in range(12)])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 2, "-S", 1, "-M", "m.bin")
    (gbnn.folder / "soft.csv").symlink_to("x.csv")
    os.link(gbnn.folder / "x.csv", gbnn.folder / "hard.csv")
    (gbnn.folder / "sub").mkdir()
    return gbnn


TRAIN = ["-t", "x.csv", "-l", "y.csv", "-u", 2]


@pytest.mark.parametrize("options, output, given", [
    (["-m", "m.bin", "-T", "x.csv", "-p", "x.csv"], "predictions_file", "test_file"),
    (["-m", "m.bin", "-T", "x.csv", "-p", "./sub/../x.csv"], "predictions_file",
     "test_file"),
    (["-m", "m.bin", "-T", "x.csv", "-p", "hard.csv"], "predictions_file",
     "test_file"),
    (["-m", "m.bin", "-T", "x.csv", "-P", "soft.csv"], "probabilities_file",
     "test_file"),
    (["-m", "m.bin", "-T", "soft.csv", "-P", "hard.csv"], "probabilities_file",
     "test_file"),
    ([*TRAIN, "-T", "soft.csv", "-P", "y.csv"], "probabilities_file", "labels_file"),
    ([*TRAIN, "--training_losses_file", "x.csv"], "training_losses_file",
     "training_file"),
    (["-m", "m.bin", "-T", "x.csv", "-P", "m.bin"], "probabilities_file",
     "input_model_file"),
])
def test_an_output_that_is_an_input(files, options, output, given):
    # Nothing is read before: the file of weights is no table.
    files.write("w.csv", "no,numbers\n1\n")
    line = files.bad(*options)
    assert f"--{output} " in line
    assert f"is the file of --{given}, which would be overwritten" in line


def test_a_model_may_take_the_place_of_its_own(files):
    old = (files.folder / "m.bin").read_bytes()
    files.good(*TRAIN, "-m", "m.bin", "--warm_start", "-M", "m.bin")
    assert len((files.folder / "m.bin").read_bytes()) > len(old)


def test_a_report_that_is_an_input(files):
    os.rename(files.folder / "x.csv", files.folder / "x.html")
    line = files.bad("-t", "x.html", "-l", "y.csv", "-u", 2, "--report", "x.html")
    assert "--report 'x.html': is the file of --training_file" in line
    os.rename(files.folder / "x.html", files.folder / "x.h")
    line = files.bad("-t", "x.h", "-l", "y.csv", "-u", 2, "--export", "x.h")
    assert "--export 'x.h': is the file of --training_file" in line


def test_two_names_of_one_output(files):
    files.write("o.csv", "old")
    (files.folder / "other.csv").symlink_to("o.csv")
    line = files.bad("-m", "m.bin", "-T", "x.csv", "-p", "o.csv", "-P", "other.csv")
    assert "is the file of --" in line and line.endswith(" too")


def test_words_that_look_like_files_are_none(files):
    files.good(*TRAIN, "--tune", "--tune_learning_rates", "0.5", "--tune_subsamples",
               "0.5", "--folds", 2, "-M", "other.bin")


# --- The file beside -------------------------------------------------------

def temporaries(program):
    return [name for name in os.listdir(program.folder)
            if re.fullmatch(r"\.m\.tmp-[0-9a-f]{16}\.bin", name)]


def traced(program, *options):
    """The system's calls about files that a run makes."""
    log = program.folder / "log.txt"
    subprocess.run(["strace", "-f", "-o", str(log), "-e",
                    "trace=openat,fsync,rename,renameat,renameat2,flock",
                    program.path, *map(str, options)], cwd=program.folder, check=True,
                   stdout=subprocess.DEVNULL)
    text = log.read_text()
    log.unlink()
    return text


def test_order_of_writing(tiny):
    if subprocess.run("strace true", shell=True, capture_output=True).returncode:
        pytest.skip("needs strace")
    text = traced(tiny, "-X", "m.bin")
    name = r'"\S*/\.m\.tmp-[0-9a-f]{16}\.bin"'
    # One after the other.
    place = 0
    for pattern in (
        rf"openat\(AT_FDCWD, {name}, O_RDWR\|O_CREAT\|O_EXCL\|O_NOFOLLOW\|O_CLOEXEC",
        r"flock\(\d+, LOCK_EX\|LOCK_NB\) += 0",
        r"fsync\(\d+\) += 0",
        rf'rename(at2?)?\((AT_FDCWD, )?{name}, (AT_FDCWD, )?"(\S*/)?m\.bin"',
        r'openat\(AT_FDCWD, "\S*", O_RDONLY\|\S*O_DIRECTORY',
        r"fsync\(\d+\) += 0"):
        found = re.search(pattern, text[place:])
        assert found, (pattern, text)
        place += found.end()


def test_the_name_is_another_each_time(tiny):
    """It is made from 64 random bits: a planted link is never met."""
    if subprocess.run("strace true", shell=True, capture_output=True).returncode:
        pytest.skip("needs strace")
    names = {re.search(r"tmp-([0-9a-f]{16})", traced(tiny, "-X", "m.bin"))[1]
             for _ in range(4)}
    assert len(names) == 4


def test_permissions(tiny):
    for umask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        tiny.command = ["sh", "-c", f'umask {umask:o}; exec "$@"', "sh"]
        (tiny.folder / "m.bin").unlink(missing_ok=True)
        tiny.good("-X", "m.bin")
        assert stat.S_IMODE((tiny.folder / "m.bin").stat().st_mode) == mode
    # As open as the file it replaces, and to the same group.
    (tiny.folder / "m.bin").chmod(0o640)
    tiny.good("-X", "m.bin")
    assert stat.S_IMODE((tiny.folder / "m.bin").stat().st_mode) == 0o640


def test_the_group_stays(tiny):
    root = os.geteuid() == 0
    others = [g for g in os.getgroups() if g != os.getegid()]
    if not root and not others:
        pytest.skip("needs root, or a second group")
    group = 12345 if root else others[0]
    tiny.good("-X", "m.bin")
    path = tiny.folder / "m.bin"
    os.chown(path, -1, group)
    path.chmod(0o660)
    tiny.good("-X", "m.bin")
    assert path.stat().st_gid == group
    assert stat.S_IMODE(path.stat().st_mode) == 0o660

    # Who is not in the group cannot give it, and gives its rights to no other.
    if not root or subprocess.run(["which", "setpriv"]).returncode:
        return
    nobody = 65534
    os.chown(path, nobody, group)
    for folder in (tiny.folder, *tiny.folder.parents):
        if folder.stat().st_uid == 0 and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o7)
    tiny.command = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}",
                    "--clear-groups"]
    tiny.good("-X", "m.bin")
    assert path.stat().st_gid == nobody
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_leftovers_are_removed(tiny):
    old = time.time() - 100
    names = [".m.tmp-0123456789abcdef.bin", ".m.tmp-fedcba9876543210.bin"]
    others = [".m.tmp-0123456789abcdef.json", ".n.tmp-0123456789abcdef.bin",
              ".m.tmp-0123456789abcdeg.bin", ".m.tmp-0123.bin"]
    for name in names + others:
        tiny.write(name, "x")
        os.utime(tiny.folder / name, (old, old))
    # One that somebody has just written to, and one that a link leads from.
    fresh = tiny.write(".m.tmp-00000000ffffffff.bin", "x")
    link = ".m.tmp-ffffffff00000000.bin"
    (tiny.folder / link).symlink_to(tiny.write("precious.csv", "1"))
    tiny.good("-X", "m.bin")
    assert sorted(os.listdir(tiny.folder)) == sorted(
        ["m.bin", "precious.csv", fresh, link, *others])
    assert tiny.read("precious.csv") == "1"


def test_a_file_in_use_is_no_leftover(tiny):
    fcntl = pytest.importorskip("fcntl")
    name = tiny.write(".m.tmp-0123456789abcdef.bin", "x")
    os.utime(tiny.folder / name, (1, 1))
    with open(tiny.folder / name) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        tiny.good("-X", "m.bin")
        assert (tiny.folder / name).exists()
    tiny.good("-X", "m.bin")
    assert not (tiny.folder / name).exists()


def test_kills_leave_whole_files(gbnn):
    """Killed at any moment, there is the old model or the new one."""
    gbnn.table("x.csv", [[i, (7 * i) % 5, c] for i in range(10) for c in "pq"])
    gbnn.table("y.csv", [i % 2 for i in range(20)])
    train = ["-t", "x.csv", "-l", "y.csv", "-u", 200, "-j", 1, "-i", 1,
             "--refine_iterations", 0, "--input_encoding", "linear"]
    gbnn.good(*train, "-S", 1, "-M", "m.bin")
    command = [gbnn.path, "-m", "m.bin", "-M", "copy.bin"]
    gbnn.good("-m", "m.bin", "-M", "copy.bin")
    whole = (gbnn.folder / "copy.bin").read_bytes()
    begin = time.time()
    subprocess.run(command, cwd=gbnn.folder, check=True)
    duration = time.time() - begin
    generator = random.Random(5)
    for _ in range(20):
        process = subprocess.Popen(command, cwd=gbnn.folder)
        time.sleep(generator.uniform(0, duration))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (gbnn.folder / "copy.bin").read_bytes() == whole
    # What the kills have left behind goes with the next save, once it is old.
    for name in os.listdir(gbnn.folder):
        if ".tmp-" in name:
            os.utime(gbnn.folder / name, (1, 1))
    gbnn.good("-m", "m.bin", "-M", "copy.bin")
    assert [name for name in os.listdir(gbnn.folder) if ".tmp-" in name] == []


def test_a_full_disk_is_told_in_plain_words(gbnn):
    """A small file system, if one can be made here."""
    gbnn.table("x.csv", [[i, i % 3] for i in range(40)])
    gbnn.table("y.csv", [i % 2 for i in range(40)])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 200, "-j", 1, "-i", 1,
              "--refine_iterations", 0, "-S", 1, "-M", "m.bin")
    with small_disk(gbnn, "8k") as small:
        (small / "m.bin").write_bytes(b"old")
        line = gbnn.bad("-m", "m.bin", "-M", "small/m.bin")
        assert "'small/m.bin': cannot be written: No space left on device" in line
        assert (small / "m.bin").read_bytes() == b"old"
        assert os.listdir(small) == ["m.bin"]


def test_tables_are_opened_once(tiny):
    """A link in the place of the file beside is never written through."""
    if subprocess.run("strace true", shell=True, capture_output=True).returncode:
        pytest.skip("needs strace")
    tiny.table("x.csv", [[1, 2], [3, 4]])
    for name in ("o.csv", "o.bin"):
        text = traced(tiny, "-m", "x.csv", "-M", name, "-X", "m.json")
        opened = re.findall(r'openat\(AT_FDCWD, "\S*/\.[om]\.tmp-[^"]*", (\S*),', text)
        assert len(opened) == 2, text
        assert all("O_EXCL" in flags for flags in opened), text
