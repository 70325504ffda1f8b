"""The network of tables: attention over prints, with a bias from the places of each pair. Sizes of prints do not matter, nor where on the page they are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from features import BUCKETS, NUMBERS
from roles import ROLES

RELATIONS = 28


def relations(boxes: Tensor, cells: Tensor) -> Tensor:
    """`[B, N, N, RELATIONS]` of boxes `[B, N, 4]` (left, top, right, bottom, in letter heights) and cells `[B, N, 4]` (table, row, column, cell)."""
    x0, y0, x1, y1 = boxes.unbind(-1)

    def pair(a: Tensor) -> tuple[Tensor, Tensor]:
        return a.unsqueeze(2), a.unsqueeze(1)

    (ax0, bx0), (ay0, by0), (ax1, bx1), (ay1, by1) = pair(x0), pair(y0), pair(x1), pair(y1)
    dx = (bx0 + bx1 - ax0 - ax1) / 2
    dy = (by0 + by1 - ay0 - ay1) / 2
    far_x, far_y = dx.abs(), dy.abs()
    level = (torch.minimum(ay1, by1) - torch.maximum(ay0, by0)) / torch.minimum(ay1 - ay0, by1 - by0).clamp(min=0.05)
    level = level.clamp(0, 1)
    common = (torch.minimum(ax1, bx1) - torch.maximum(ax0, bx0)) / torch.minimum(ax1 - ax0, bx1 - bx0).clamp(min=0.05)
    common = common.clamp(0, 1)
    gap = (torch.maximum(ax0, bx0) - torch.minimum(ax1, bx1)).clamp(min=0)

    def nearest(distance: Tensor, allowed: Tensor) -> Tensor:
        d = torch.where(allowed, distance, torch.full_like(distance, 1e4))
        return (allowed & (d <= d.amin(2, keepdim=True) + 1e-3)).float()

    beside, stacked = level > 0.4, common > 0.15
    (at, bt), (ar, br), (ac, bc), (al, bl) = (pair(c) for c in cells.unbind(-1))
    inside = (at >= 0) & (bt >= 0)
    same_table = inside & (at == bt)
    right, left, below, above = beside & (dx > 0), beside & (dx < 0), stacked & (dy > 0.3), stacked & (dy < -0.3)
    return torch.stack(
        (
            torch.tanh(dx / 4), torch.tanh(dy / 2), torch.tanh(dx / 20), torch.tanh(dy / 10), torch.exp(-far_x / 3), torch.exp(-far_y), torch.exp(-far_y / 4), torch.exp(-far_x / 12),
            level, common, torch.exp(-1.5 * (ax0 - bx0).abs()), torch.exp(-1.5 * (ax1 - bx1).abs()), torch.exp(-1.5 * far_x),
            nearest(far_x, right), nearest(far_x, left), nearest(far_y, below), nearest(far_y, above),
            (same_table & (al == bl)).float(), same_table.float(), (same_table & (ar == br)).float(), (same_table & (ac == bc)).float(),
            same_table.float() * torch.tanh((br - ar) / 2), ((at >= 0) != (bt >= 0)).float(),
            level * torch.sign(dx), common * torch.sign(dy), level * torch.exp(-gap / 3), common * torch.exp(-far_y / 2), level * torch.exp(-gap),
        ),
        -1,
    )


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, inner: int):
        super().__init__()
        self.heads = heads
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, inner), nn.GELU(approximate="tanh"), nn.Linear(inner, width))

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(self.before(x)).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-1, -2) * (d // self.heads) ** -0.5 + bias, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(b, n, d))
        return x + self.mlp(x)


class TableNet(nn.Module):
    def __init__(self, width: int = 128, layers: int = 5, heads: int = 4, inner: int = 256, letters: int = 64, hidden: int = 24):
        super().__init__()
        self.heads, self.count = heads, layers
        self.letters = nn.Embedding(BUCKETS, letters, padding_idx=0)
        self.enter = nn.Sequential(nn.Linear(letters + NUMBERS, width), nn.GELU(approximate="tanh"), nn.Linear(width, width))
        self.places = nn.Sequential(nn.Linear(RELATIONS, hidden), nn.ReLU(), nn.Linear(hidden, layers * heads + 1))
        self.layers = nn.ModuleList(Layer(width, heads, inner) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.role = nn.Linear(width, len(ROLES))
        self.pointing = nn.Linear(width, 64)
        self.pointed = nn.Linear(width, 64)

    def forward(self, ids: Tensor, numbers: Tensor, boxes: Tensor, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of roles `[B, N, R]`, and of each print's line's anchor `[B, N, N]`. A print without ids is none."""
        there = (ids != 0).float()
        mean = (self.letters(ids) * there.unsqueeze(-1)).sum(2) / there.sum(2, keepdim=True).clamp(min=1).sqrt()
        x = self.enter(torch.cat((mean, numbers), -1))
        absent = (1 - there[:, :, 0]) * -1e4
        biases = self.places(relations(boxes, cells)).permute(0, 3, 1, 2)
        for n, layer in enumerate(self.layers):
            bias = biases[:, n * self.heads : (n + 1) * self.heads] + absent[:, None, None]
            x = layer(x, bias)
        x = self.norm(x)
        anchor = self.pointing(x) @ self.pointed(x).transpose(-1, -2) * 0.125 + 2 * biases[:, -1] + absent[:, None]
        return self.role(x), anchor
