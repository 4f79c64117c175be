"""``python -m videodp``."""

from videodp.cli import main

if __name__ == "__main__":
    main()
