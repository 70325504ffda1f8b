"""Writes matplotlib's list of fonts, with the Korean one, to the directory that is given."""
import os
import sys
from pathlib import Path

os.environ["MPLCONFIGDIR"] = sys.argv[1]
import matplotlib.font_manager as fonts

korean = Path(fonts.__file__).parent.parent / "koreanize_matplotlib" / "fonts"
for file in sorted(korean.glob("*.ttf")):
    fonts.fontManager.addfont(file)
[made] = Path(sys.argv[1]).glob("fontlist-*.json")
fonts.json_dump(fonts.fontManager, made)
for other in Path(sys.argv[1]).iterdir():
    if other != made:
        other.unlink()
