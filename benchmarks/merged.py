"""What merged transitions save a worker, its server and the database; see README.md beside this file."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from benchmarks.merged_command import main

    main()
