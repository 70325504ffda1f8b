"""What stands over and around the letters of real paper: rules that print runs into, pens, seals, the other side, rests of rules."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np

Box = tuple[int, int, int, int]


class Disturber:
    """Draws one or two of them on a page of gray levels; the letters stay to be read."""

    def __init__(self, rng: random.Random, foreign_ink: Callable[[int], np.ndarray]):
        """@param foreign_ink: draws some other line of print in letters of so many pixels."""
        self.rng = rng
        self.foreign_ink = foreign_ink

    def draw(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        ways = [self._rule_across, self._rule_down, self._rests, self._pen, self._other_side, self._neighbour, self._seal]
        for way in self.rng.choices(ways, (26, 22, 18, 18, 14, 12, 8), k=self.rng.choice((1, 1, 2))):
            way(image, box, size, paper)

    def _level(self, paper: int) -> int:
        """Of a rule: mostly paler than print."""
        return self.rng.randint(0, max(1, int(paper * 0.8)))

    def _rule_across(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """Print that is shifted against its form lies on a rule, anywhere in its height."""
        r = self.rng
        at = r.uniform(box[1] - 0.1 * size, box[3] + 0.1 * size) if r.random() < 0.6 else r.choice((box[1], box[3])) + r.gauss(0, 0.08 * size)
        slope = r.gauss(0, 0.004)
        dash = r.choice((0, 0, 0, r.uniform(0.1, 0.5) * size))
        self._line(image, (0.0, at), (float(image.shape[1]), at + slope * image.shape[1]), self._level(paper), r.choice((1, 1, 1, 2)), dash)

    def _rule_down(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """A column's border through a letter, or close to the first or the last."""
        r = self.rng
        at = r.choice((box[0] - r.uniform(-0.3, 0.35) * size, box[2] + r.uniform(-0.3, 0.35) * size, r.uniform(box[0], box[2])))
        dash = r.choice((0, 0, r.uniform(0.1, 0.4) * size))
        self._line(image, (at, 0.0), (at + r.gauss(0, 1), float(image.shape[0])), self._level(paper), r.choice((1, 1, 2)), dash)

    def _rests(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """What is left where a rule was taken out of a page: dots and dashes at its place, mostly before and behind the text."""
        r = self.rng
        for _ in range(r.randint(1, 4)):
            x = r.choice((box[0] - r.uniform(0.05, 0.6) * size, box[2] + r.uniform(0.05, 0.6) * size, r.uniform(box[0], box[2])))
            # Behind the text, never at its feet: dots there are print, the mark of a name that was cut.
            y = r.uniform(box[1] - 0.1 * size, box[3] + (-0.35 if x > box[2] else 0.1) * size)
            w, h = r.choice(((1, 1), (1, 2), (2, 1), (r.randint(1, max(1, size // 3)), 1), (1, r.randint(1, max(1, size // 2)))))
            x0, y0 = max(0, int(x)), max(0, int(y))
            patch = image[y0 : y0 + h, x0 : x0 + w]
            np.minimum(patch, self._level(paper), out=patch)

    def _pen(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """A ring, a tick or a stroke that runs over the text."""
        r = self.rng
        layer = np.zeros(image.shape, np.uint8)
        width = max(1, round(size * r.uniform(0.05, 0.16)))
        x, y = r.uniform(box[0], box[2]), r.uniform(box[1], box[3])
        if r.random() < 0.5:
            axes = (max(2, int(size * r.uniform(0.6, 5))), max(2, int(size * r.uniform(0.5, 1.6))))
            cv2.ellipse(layer, (int(x), int(y)), axes, r.uniform(-20, 20), r.uniform(0, 90), r.uniform(270, 400), 255, width, cv2.LINE_AA)
        else:
            points = [(x + r.uniform(-3, 3) * size, y + r.uniform(-1, 1) * size) for _ in range(3)]
            t = np.linspace(0, 1, 24)[:, None]
            a, b, c = (np.array(p) for p in points)
            curve = ((1 - t) ** 2 * a + 2 * (1 - t) * t * b + t**2 * c).round().astype(np.int32)
            cv2.polylines(layer, [curve], False, 255, width, cv2.LINE_AA)
        self._blend(image, layer.astype(np.float32) / 255, r.randint(0, max(1, int(paper * 0.7))))

    def _seal(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """A seal's edge, paler than print."""
        r = self.rng
        layer = np.zeros(image.shape, np.uint8)
        centre = (int(r.uniform(box[0], box[2])), int(r.uniform(box[1] - size, box[3] + size)))
        cv2.circle(layer, centre, int(size * r.uniform(1, 2.4)), 255, max(1, round(size * r.uniform(0.08, 0.2))), cv2.LINE_AA)
        self._blend(image, layer.astype(np.float32) / 255, int(paper * r.uniform(0.5, 0.9)))

    def _other_side(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """Print of the other side that shines through: mirrored and pale."""
        r = self.rng
        ink = np.ascontiguousarray(self.foreign_ink(max(8, int(size * r.uniform(0.8, 1.2))))[:, ::-1])
        self._stamp(image, ink, r.randint(box[0] - size, box[2]), r.randint(box[1] - size, box[3]), int(paper * r.uniform(0.6, 0.94)))

    def _neighbour(self, image: np.ndarray, box: Box, size: int, paper: int) -> None:
        """The feet or heads of a line right above or below."""
        r = self.rng
        ink = self.foreign_ink(size)
        gap = int(size * r.uniform(0.05, 0.3)) + 1
        y = box[1] - gap - ink.shape[0] if r.random() < 0.5 else box[3] + gap
        self._stamp(image, ink, r.randint(box[0] - 2 * size, max(box[0], box[2] - size)), y, int(paper * r.uniform(0, 0.4)))

    def _line(self, image: np.ndarray, a: tuple[float, float], b: tuple[float, float], level: int, width: int, dash: float) -> None:
        layer = np.zeros(image.shape, np.uint8)
        scale = 16  # cv2's sub-pixel places
        if dash:
            length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
            step = dash * self.rng.uniform(1.4, 2.2)
            for start in np.arange(0, length, step):
                ends = [(a[0] + (b[0] - a[0]) * t / length, a[1] + (b[1] - a[1]) * t / length) for t in (start, min(length, start + dash))]
                cv2.line(layer, *[(int(x * scale), int(y * scale)) for x, y in ends], 255, width, cv2.LINE_AA, 4)
        else:
            cv2.line(layer, (int(a[0] * scale), int(a[1] * scale)), (int(b[0] * scale), int(b[1] * scale)), 255, width, cv2.LINE_AA, 4)
        self._blend(image, layer.astype(np.float32) / 255, level)

    def _stamp(self, image: np.ndarray, ink: np.ndarray, x: int, y: int, level: int) -> None:
        h, w = image.shape
        x0, y0, x1, y1 = max(0, x), max(0, y), min(w, x + ink.shape[1]), min(h, y + ink.shape[0])
        if x1 > x0 and y1 > y0:
            self._blend(image[y0:y1, x0:x1], ink[y0 - y : y1 - y, x0 - x : x1 - x], level)

    @staticmethod
    def _blend(image: np.ndarray, ink: np.ndarray, level: int) -> None:
        """Ink darkens; nothing gets lighter under it."""
        np.minimum(image, image + (level - image) * ink, out=image)
