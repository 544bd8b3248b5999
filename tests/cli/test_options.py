"""Options, help, errors, and what becomes of output files."""

import os
import shutil
import stat
import subprocess

import pytest


def test_help(tiny):
    out = tiny.good("--help").out
    assert out == tiny.good("-h").out
    assert out.startswith("Tiny Binding\n")
    for text in ("Optional input options:", "Optional output options:",
                 "--input_file (-i) [string]", "--numbers (-N) [vector]",
                 "--negate (-n) [bool]", "--output_model_file (-X) [string]",
                 "Default value 'scale'.",
                 "$ mlpack_tiny --input_file data.csv --scale 2",
                 "'--input_model_file (-I)'"):
        assert text in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
    assert not [line for line in out.splitlines() if line != line.rstrip()]


def test_help_whatever_else_is_wrong(tiny):
    assert "Tiny Binding" in tiny.good("-h", "--nonsense", "--shift", "x").out


@pytest.mark.parametrize("name", ["shift", "S", "--shift"])
def test_info(tiny, name):
    out = tiny.good(f"--info={name}").out
    assert out.startswith("  --shift (-S) [int]")
    assert "Default value 0." in out


def test_info_of_files(tiny):
    assert tiny.good("--info", "input").out == tiny.good("--info", "input_file").out


def test_info_of_nothing(tiny):
    assert tiny.bad("--info", "shfit").endswith("did you mean '--shift'?")


def test_version(tiny):
    assert tiny.good("-V").out.startswith("Tiny Binding: part of mlpack ")
    assert tiny.good("--version").out == tiny.good("-V").out


def test_verbose(tiny):
    tiny.write("m.csv", "1,2\n3,4\n5,6\n")
    out = tiny.good("-v", "-i", "m.csv", "-o", "o.csv").out
    for text in ("[INFO ] Scaled by 1.", "Execution parameters:",
                 "  input_file: 'm.csv' (3x2 matrix)", "  scale: 1",
                 "Program timers:", "  tiny_work: ", "  total_time: "):
        assert text in out
    assert "[INFO ]" not in tiny.good("-i", "m.csv").out


@pytest.mark.parametrize("option, right", [
    ("--scael", "scale"), ("--sclae=2", "scale"), ("--inp", "input_file"),
    ("--outptu_file", "output_file"), ("--verbos", "verbose"),
])
def test_unknown_option_suggests(tiny, option, right):
    name = option.split("=")[0]
    assert tiny.bad(option, "1") == \
        f"[FATAL] unknown option '{name}'; did you mean '--{right}'?"


def test_files_need_no_suffix(tiny):
    tiny.write("m.csv", "1,2\n3,4\n")
    tiny.good("--input", "m.csv", "--output=a.csv")
    tiny.good("--input_file", "m.csv", "--output_file=b.csv")
    assert tiny.read("a.csv") == tiny.read("b.csv")
    assert "--input_file: was given more than once" in \
        tiny.bad("--input", "m.csv", "--input_file", "m.csv")


def test_unknown_option_like_no_other(tiny):
    assert tiny.bad("--xyzzyxyzzy") == "[FATAL] unknown option '--xyzzyxyzzy'"
    assert "unknown option '-Z'" in tiny.bad("-Z")
    assert "unexpected argument 'word'" in tiny.bad("word")


@pytest.mark.parametrize("options, message", [
    (["--shift", "x"], "--shift: expected a whole number, but got 'x'"),
    (["--shift", "1.5"], "--shift: expected a whole number, but got '1.5'"),
    (["--shift", ""], "--shift: expected a whole number, but got ''"),
    (["--shift", "9999999999"], "--shift: expected a whole number, but got "
     "'9999999999', which is out of range"),
    (["--scale", "1,5"], "--scale: expected a number, but got '1,5'"),
    (["-N", "1,b"], "--numbers: expected whole numbers separated by commas, but "
     "got 'b'"),
    (["--scale"], "--scale: expected a value after it"),
    (["-s", "1", "--scale", "2"], "--scale: was given more than once"),
    (["-i", ""], "--input_file: expected the name of a file, but got ''"),
    (["--shift", "-3"], "Invalid value of '--shift (-S)' specified (-3); shift "
     "must not be negative!"),
])
def test_bad_values(tiny, options, message):
    assert tiny.bad(*options) == "[FATAL] " + message


def test_checks_of_the_binding(tiny):
    assert "'--operation (-O)' specified ('sing')" in tiny.bad("-O", "sing")
    tiny.good("-X", "m.bin")
    line = tiny.bad("-I", "m.bin", "-s", "2")
    assert "Can only pass one of '--scale (-s)' or '--input_model_file (-I)'" in line


def test_fatal_and_exception(tiny):
    tiny.write("m.csv", "1,2\n")
    tiny.write("o.csv", "old")
    assert tiny.bad("-O", "fatal", "-m", "m.csv", "-M", "o.csv") == \
        "[FATAL] Asked to fail."
    assert tiny.bad("-O", "throw", "-m", "m.csv", "-M", "o.csv") == \
        "[FATAL] tiny(): asked to throw"
    assert tiny.read("o.csv") == "old"


def test_an_error_is_written_in_one_piece(tiny):
    """What else writes to the same terminal does not come in between."""
    # Such a pipe keeps apart what was written by itself.
    reader, writer = os.pipe2(os.O_DIRECT)
    with subprocess.Popen([tiny.path, "--nonsense"], stderr=writer) as process:
        os.close(writer)
        with os.fdopen(reader, "rb", buffering=0) as errors:
            pieces = list(iter(lambda: errors.read(65536), b""))
    assert process.returncode == 1
    assert len(pieces) == 1 and pieces[0].endswith(b"\n")


def test_missing_input(tiny):
    assert tiny.bad("-i", "none.csv") == ("[FATAL] --input_file 'none.csv': cannot "
                                          "be read: No such file or directory")
    assert "--input_model_file 'none.bin': cannot be read" in \
        tiny.bad("-I", "none.bin")
    (tiny.folder / "d").mkdir()
    assert "--input_file 'd': cannot be read: it is a directory" in \
        tiny.bad("-i", "d")
    tiny.write("m.foo", "x")
    assert "expected the extension .bin, .json or .xml" in tiny.bad("-I", "m.foo")


# The operation 'fatal' shows that outputs are checked before the binding runs.
@pytest.mark.parametrize("options, message", [
    (["-o", "none/o.csv"], "--output_file 'none/o.csv': cannot be written: there "
     "is no directory"),
    (["-o", "folder"], "--output_file 'folder': cannot be written: it is a "
     "directory"),
    (["-o", "o.doc"], "--output_file 'o.doc': expected the extension .csv"),
    (["-o", "o"], "--output_file 'o': expected the extension .csv"),
    (["-X", "o.csv"], "--output_model_file 'o.csv': expected the extension .bin"),
    (["-o", "o.csv", "-M", "o.csv"], "is the file of --"),
])
def test_unwritable_output_is_told_first(tiny, options, message):
    (tiny.folder / "folder").mkdir()
    assert message in tiny.bad("-O", "fatal", *options)


def test_no_permission(tiny):
    if os.geteuid() == 0:
        # Root may write anywhere, unless that privilege is taken away.
        rights = "-dac_override,-dac_read_search"
        tiny.command = ["setpriv", "--bounding-set", rights, "--inh-caps", rights]
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv")
    folder = tiny.folder / "folder"
    folder.mkdir()
    folder.chmod(0o500)
    assert "cannot be written" in tiny.bad("-O", "fatal", "-o", "folder/o.csv")
    tiny.write("o.csv", "old")
    (tiny.folder / "o.csv").chmod(0o400)
    assert "cannot be written" in tiny.bad("-O", "fatal", "-o", "o.csv")


def test_output_replaces_a_file_whole(tiny):
    tiny.write("m.csv", "1,2\n")
    tiny.write("o.csv", "old" * 1000)
    (tiny.folder / "o.csv").chmod(0o640)
    (tiny.folder / "link.csv").symlink_to("o.csv")
    tiny.good("-m", "m.csv", "-M", "link.csv")
    assert (tiny.folder / "link.csv").is_symlink()
    assert tiny.read("o.csv") == "1,2\n"
    assert stat.S_IMODE((tiny.folder / "o.csv").stat().st_mode) == 0o640
    assert sorted(tiny.listing()) == ["link.csv", "m.csv", "o.csv"]


def test_full_disk(tiny):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    tiny.write("m.csv", "1,2\n")
    line = tiny.bad("-m", "m.csv", "-M", "/dev/full")
    assert "--matrix_out_file '/dev/full': cannot be written: No space" in line


def test_outputs_are_written_all_or_none(tiny):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    tiny.write("m.csv", "1,2\n")
    tiny.bad("-i", "m.csv", "-o", "o.csv", "-m", "m.csv", "-M", "/dev/full")


def test_input_may_be_a_pipe(tiny):
    tiny.write("m.csv", "1,2\n3,4\n")
    os.mkfifo(tiny.folder / "pipe")
    if os.fork() == 0:
        with open(tiny.folder / "pipe", "w") as pipe:
            pipe.write("1,2\n3,4\n")
        os._exit(0)
    tiny.good("-m", "pipe", "-M", "o.csv")
    os.wait()
    assert tiny.read("o.csv") == "1,2\n3,4\n"
