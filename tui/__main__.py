"""``python -m tui`` is the same as ``lode``."""

from tui.cli import main

if __name__ == "__main__":
    main()
