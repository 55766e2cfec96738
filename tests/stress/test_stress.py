"""The stress suites, short: real processes that are killed, and eight of them at once.

The long forms are the same scripts with larger numbers; see docs/reliability.md.
"""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "options", "said"),
    [
        ("kills.py", ("--count", "12", "--seed", "7"), "kills survived"),
        ("crowd.py", ("--minutes", "0.12", "--seed", "7"), "8 processes"),
    ],
)
def test_nothing_is_lost_and_nothing_is_wrong(tmp_path, script, options, said):
    done = subprocess.run(
        [sys.executable, str(HERE / script), *options, "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, said in done.stdout) == (0, True), done.stdout + done.stderr
