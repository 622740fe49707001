"""Workflows of five steps, on Byssus and on two other engines; see README.md beside this file."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.peers_command import main

    main()
