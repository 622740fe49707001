"""What a claim that brings a suffix costs when the history is long; see README.md beside this file."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.suffix_command import main

    main()
