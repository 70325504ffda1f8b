"""The layout network: a small U-Net with strips of context along rows and columns. Gray page in, four maps of logits out."""

from __future__ import annotations

import torch
from torch import Tensor, nn

CLASSES = ("rows", "columns", "print", "foreign")
# Sides of its input are multiples of this.
MULTIPLE = 16


def norm_relu(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(inplace=True))


class Separable(nn.Module):
    def __init__(self, channels: int, kernel: int = 3):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, kernel, padding=kernel // 2, groups=channels, bias=False),
            nn.Conv2d(channels, channels, 1, bias=False),
            norm_relu(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


class Plain(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), norm_relu(channels))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


class Strips(nn.Module):
    """What stands far along the row and along the column."""

    def __init__(self, channels: int, reach: int):
        super().__init__()
        self.along = nn.Conv2d(channels, channels, (1, reach), padding=(0, reach // 2), groups=channels, bias=False)
        self.down = nn.Conv2d(channels, channels, (reach, 1), padding=(reach // 2, 0), groups=channels, bias=False)
        self.mix = nn.Sequential(nn.Conv2d(2 * channels, channels, 1, bias=False), norm_relu(channels))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.mix(torch.cat((self.along(x), self.down(x)), 1))


class Down(nn.Sequential):
    def __init__(self, from_: int, to: int):
        super().__init__(nn.Conv2d(from_, to, 2, stride=2, bias=False), norm_relu(to))


class Up(nn.Module):
    def __init__(self, from_: int, to: int):
        super().__init__()
        self.narrow = nn.Sequential(nn.Conv2d(from_, to, 1, bias=False), nn.BatchNorm2d(to))
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        return self.grow(self.narrow(x)) + skip


class LayoutNet(nn.Module):
    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 40, 56)):
        super().__init__()
        a, b, c, d = widths
        self.stem = nn.Sequential(nn.PixelUnshuffle(2), nn.Conv2d(4, a, 3, padding=1, bias=False), norm_relu(a))
        self.at_half = nn.Sequential(Separable(a), Separable(a))
        self.to_quarter = Down(a, b)
        self.quarter = nn.Sequential(Separable(b, 5), Strips(b, 17))
        self.to_eighth = Down(b, c)
        self.eighth = nn.Sequential(Plain(c), Strips(c, 25), Plain(c))
        self.to_sixteenth = Down(c, d)
        self.sixteenth = nn.Sequential(Plain(d), Strips(d, 31), Plain(d))
        self.up_eighth = Up(d, c)
        self.after_eighth = Plain(c)
        self.up_quarter = Up(c, b)
        self.after_quarter = nn.Sequential(Separable(b, 5))
        self.up_half = Up(b, a)
        self.after_half = nn.Sequential(Separable(a), Separable(a))
        self.head = nn.Sequential(nn.Conv2d(a, 4 * len(CLASSES), 1), nn.PixelShuffle(2))

    def forward(self, x: Tensor) -> Tensor:
        half = self.at_half(self.stem(x))
        quarter = self.quarter(self.to_quarter(half))
        eighth = self.eighth(self.to_eighth(quarter))
        sixteenth = self.sixteenth(self.to_sixteenth(eighth))
        eighth = self.after_eighth(self.up_eighth(sixteenth, eighth))
        quarter = self.after_quarter(self.up_quarter(eighth, quarter))
        return self.head(self.after_half(self.up_half(quarter, half)))
