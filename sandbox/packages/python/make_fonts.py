"""Writes matplotlib's list of fonts to the directory that is given. Those of Korean, Chinese and Japanese come into its own folder,
since the list names other ones by paths that packages have only while they are installed."""
import os
import shutil
import sys
from pathlib import Path

import matplotlib

packages = Path(matplotlib.__file__).parent.parent
own = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
for file in [*(packages / "koreanize_matplotlib" / "fonts").glob("*.ttf"), packages / "tripod-cjk.ttf"]:
    shutil.copy(file, own)
os.environ["MPLCONFIGDIR"] = sys.argv[1]
import matplotlib.font_manager as fonts

[made] = Path(sys.argv[1]).glob("fontlist-*.json")
fonts.json_dump(fonts.fontManager, made)
for other in Path(sys.argv[1]).iterdir():
    if other != made:
        other.unlink()
