import sys

from setwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
