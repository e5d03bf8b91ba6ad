import sys

from setwise.cli import main

sys.exit(main())
