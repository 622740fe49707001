"""`python -m byssus.cli`."""

from byssus.cli import main

main(prog_name="byssus")
