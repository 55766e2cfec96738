"""What the background process does with its log."""

import subprocess
import sys

PROGRAM = """
import logging, os, sys
from pathlib import Path
from code_indexer.watch import daemon

daemon._LOG_BYTES = 2000
daemon.log_to(Path(sys.argv[1]))
log = logging.getLogger("code_indexer.watch")
for number in range(100):
    log.info("line %d %s", number, "x" * 50)
os.write(2, b"written to stderr\\n")
logging.getLogger("other").info("not worth a line")
"""


def test_the_log_rotates_and_takes_stderr_along(tmp_path):
    log = tmp_path / "watch.log"

    subprocess.run([sys.executable, "-c", PROGRAM, str(log)], check=True)

    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "watch.log",
        "watch.log.1",
        "watch.log.2",
    ]
    assert all(file.stat().st_size <= 2100 for file in tmp_path.iterdir())
    assert log.read_text().endswith("written to stderr\n")
    assert "not worth a line" not in log.read_text()
