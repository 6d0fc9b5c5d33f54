"""``python -m ocrjury.cli``, where the console script is not on the path."""

import sys

from ocrjury.cli import main

if __name__ == "__main__":
    sys.exit(main())
