"""`heedful` and `python -m heedful`."""

from __future__ import annotations

import sys


def main() -> None:
    """An interruption while the commands are loaded is told as quietly as one while they work. A
    server's process begins anew first, here, where hardly anything is loaded yet."""
    try:
        if sys.argv[1:2] == ["serve"]:
            from heedful.serve.allocator import settle

            settle()
        from heedful.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
