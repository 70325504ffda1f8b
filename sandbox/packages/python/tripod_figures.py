"""A backend of matplotlib for which showing a figure is to save it below out/, where the files of a result come from."""
import os

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

FigureCanvas = FigureCanvasAgg
FigureManager = FigureManagerBase

# Figures saved so far: a kept session reports new ones without being asked for files.
saved = 0
# The program may go to another directory.
_home = os.environ.get("HOME", "")


def _free_path():
    number = 1
    while os.path.lexists(path := os.path.join(_home, "out", f"figure-{number}.png")):
        number += 1
    return path


def show(*args, **kwargs):
    global saved
    # Without out/ nobody has asked for files.
    if os.path.isdir(os.path.join(_home, "out")):
        for manager in Gcf.get_all_fig_managers():
            manager.canvas.figure.savefig(_free_path())
            saved += 1
    Gcf.destroy_all()
