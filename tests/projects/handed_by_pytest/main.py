"""What pytest hands to tests: members of lists, and what fixtures give, wherever they are defined."""

from pathlib import Path

import pytest

if __name__ == "__main__":
    folder = str(Path(__file__).parent / "tests")
    assert pytest.main(["-q", "-p", "no:cacheprovider", "--import-mode=importlib", folder]) == 0
