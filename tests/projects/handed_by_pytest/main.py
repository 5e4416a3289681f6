"""What pytest hands to tests: members of lists, and what fixtures give, wherever they are defined."""

from pathlib import Path

import pytest

if __name__ == "__main__":
    folder = str(Path(__file__).parent / "tests")
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-c", "/dev/null"]
    assert pytest.main([*options, f"--rootdir={folder}", f"--confcutdir={folder}", folder]) == 0
