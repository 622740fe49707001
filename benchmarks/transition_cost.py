"""What one transition costs on its way from a client to the database; see README.md beside this file."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.command import main

    main()
