"""Prepares what matplotlib looks for in a home, when a program imports it: its list of fonts would take a second to make."""
import sys


class _Fonts:
    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib":
            return None
        sys.meta_path.remove(self)
        import os

        try:
            if "MPLCONFIGDIR" in os.environ:
                return None
            home = os.path.join(os.environ.get("TMPDIR", "/tmp"), ".matplotlib")
            made = os.path.join(os.path.dirname(__file__), "tripod-fonts")
            os.makedirs(home, exist_ok=True)
            for file in os.listdir(made):
                with open(os.path.join(made, file), "rb") as source, open(os.path.join(home, file), "wb") as copy:
                    copy.write(source.read())
            os.environ["MPLCONFIGDIR"] = home
        except OSError:
            pass
        return None


sys.meta_path.insert(0, _Fonts())
