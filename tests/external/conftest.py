"""What CI cannot hold: run by `make test-external`, which installs what is needed."""

import os
import sys
from pathlib import Path

if os.environ.get("OCRJURY_EXTERNAL"):
    # Last, so that all else comes from where ocrjury runs.
    sys.path.append(str(Path(__file__).parents[2] / "out" / "peers"))
else:
    collect_ignore_glob = ["test_*.py"]
