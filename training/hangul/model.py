"""The line recogniser: PP-OCRv4's recognition network with a Hangul-aware CTC head.

The backbone (PP-LCNetV3) and the mixing neck (SVTR) start from the published ONNX weights of PP-OCRv4
(Apache-2.0). The network is rebuilt here by hand, because a re-parameterised graph trains faster when its
scalar affine layers are folded into the convolutions around them.

Three things are ours:
- a step every 4 pixels, not 8: narrow digits and doubled letters ("444") need the room between CTC's blanks. The
  last pooling slides by one, the convolutions after it are dilated, so that the published weights stay right;
- a skip branch beside the neck's 60-channel bottleneck, so that a new script reads the backbone directly;
- the head composes a syllable's class vector from its initial, medial and final letters plus a residual of
  its own, so that every line teaches all syllables that share a letter. The sum is collapsed at export.
"""

from __future__ import annotations

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

from charset import jamo_of

# (kernel, stride, squeeze-excite) of each depthwise + pointwise block, in the order of the published graph.
BLOCKS = [
    (3, (1, 1), False),
    (3, (1, 1), False),
    (3, (1, 1), False),
    (3, (2, 1), False),
    (3, (1, 1), False),
    (3, (1, 2), False),
    (5, (1, 1), False),
    (5, (1, 1), False),
    (5, (1, 1), False),
    (5, (1, 1), False),
    (5, (2, 1), True),
    (5, (1, 1), True),
    (5, (2, 1), False),
    (5, (1, 1), False),
]
CHANNELS = [16, 32, 64, 64, 128, 128, 240, 240, 240, 240, 240, 480, 480, 480, 480]
NECK = 120
SKIP = 120


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.down = nn.Conv2d(channels, channels // 4, 1)
        self.up = nn.Conv2d(channels // 4, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gate = self.up(F.relu(self.down(x.mean((2, 3), keepdim=True))))
        return x * F.hardsigmoid(gate)


class Block(nn.Module):
    """Depthwise then pointwise convolution, each followed by hard-swish and a learnt scalar shift."""

    def __init__(self, cin: int, cout: int, kernel: int, stride: tuple[int, int], excite: bool):
        super().__init__()
        self.depthwise = nn.Conv2d(cin, cin, kernel, stride, kernel // 2, groups=cin)
        self.shift_depthwise = nn.Parameter(torch.zeros(1)) if excite else None
        self.excite = SqueezeExcite(cin) if excite else None
        self.pointwise = nn.Conv2d(cin, cout, 1)
        self.shift = nn.Parameter(torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.hardswish(self.depthwise(x))
        if self.excite is not None:
            x = self.excite(x + self.shift_depthwise)
        return F.hardswish(self.pointwise(x)).add_(self.shift)


class ConvBnSwish(nn.Module):
    """A convolution along the line. Dilated, because the line has twice the steps that its weights were made for."""

    def __init__(self, cin: int, cout: int, width: int):
        super().__init__()
        reach = width // 2 * 2
        self.conv = nn.Conv2d(cin, cout, (1, width), padding=(0, reach), dilation=(1, 2), bias=False)
        self.norm = nn.BatchNorm2d(cout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.silu(self.norm(self.conv(x)))


class MixingLayer(nn.Module):
    """Global self-attention along the line (8 heads of 15), then a feed-forward layer of twice the width."""

    def __init__(self, dim: int = NECK, heads: int = 8):
        super().__init__()
        self.heads = heads
        self.norm_mix = nn.LayerNorm(dim, eps=1e-5)
        self.qkv = nn.Linear(dim, dim * 3)
        self.out = nn.Linear(dim, dim)
        self.norm_feed = nn.LayerNorm(dim, eps=1e-5)
        self.up = nn.Linear(dim, dim * 2)
        self.down = nn.Linear(dim * 2, dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, t, d = x.shape
        qkv = self.qkv(self.norm_mix(x)).reshape(n, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = (qkv[0] * (d // self.heads) ** -0.5) @ qkv[1].transpose(2, 3)
        mixed = (weights.softmax(-1) @ qkv[2]).transpose(1, 2).reshape(n, t, d)
        x = x + self.out(mixed)
        return x + self.down(F.silu(self.up(self.norm_feed(x))))


class ComposedHead(nn.Module):
    """CTC classes whose Hangul vectors are sums of letter vectors and a residual a syllable."""

    def __init__(self, dim: int, charset: list[str]):
        super().__init__()
        letters = torch.tensor([jamo_of(c) for c in charset], dtype=torch.long)  # [C, 3]; 0 = not a syllable
        self.register_buffer("letters", letters, persistent=False)
        self.own = nn.Parameter(torch.zeros(len(charset), dim))
        self.bias = nn.Parameter(torch.zeros(len(charset)))
        self.parts = nn.ParameterList(nn.Parameter(torch.randn(size, dim) * 0.02) for size in (20, 22, 29))

    def weight(self) -> torch.Tensor:
        is_syllable = (self.letters[:, :1] > 0).float()
        composed = sum(part[self.letters[:, i]] for i, part in enumerate(self.parts))
        return self.own + composed * is_syllable

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight(), self.bias)


class Recogniser(nn.Module):
    """[N, 3, 48, W] in -1..1 -> logits [N, T, C] with T = W // 4 - 1 and C = len(charset), class 0 = CTC blank."""

    def __init__(self, charset: list[str]):
        super().__init__()
        self.stem = nn.Conv2d(3, CHANNELS[0], 3, 2, 1)
        self.blocks = nn.ModuleList(
            Block(CHANNELS[i], CHANNELS[i + 1], k, s, e) for i, (k, s, e) in enumerate(BLOCKS)
        )
        self.squeeze = nn.Sequential(ConvBnSwish(480, 60, 3), ConvBnSwish(60, NECK, 1))
        self.mixing = nn.ModuleList(MixingLayer() for _ in range(2))
        self.norm = nn.LayerNorm(NECK, eps=1e-6)
        self.expand = ConvBnSwish(NECK, 480, 1)
        self.fuse = nn.Sequential(ConvBnSwish(960, 60, 3), ConvBnSwish(60, NECK, 1))
        self.skip = ConvBnSwish(480, SKIP, 3)
        self.head = ComposedHead(NECK + SKIP, charset)

    def features(self, x: torch.Tensor, frozen_blocks: int = 0) -> torch.Tensor:
        """The backbone's 480 x 1 x T map, a step every 4 pixels. The first `frozen_blocks` blocks (and the stem) get no gradient."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and frozen_blocks == 0):
            x = self.stem(x)
        for i, block in enumerate(self.blocks):
            with torch.set_grad_enabled(torch.is_grad_enabled() and i >= frozen_blocks):
                x = block(x)
        return F.avg_pool2d(x, (3, 2), (3, 1))

    def forward(self, x: torch.Tensor, frozen_blocks: int = 0) -> torch.Tensor:
        pooled = self.features(x, frozen_blocks)
        y = self.squeeze(pooled).squeeze(2).transpose(1, 2)
        for layer in self.mixing:
            y = layer(y)
        y = self.expand(self.norm(y).transpose(1, 2).unsqueeze(2))
        y = self.fuse(torch.cat([pooled, y], 1))
        y = torch.cat([y, self.skip(pooled)], 1)
        return self.head(y.squeeze(2).transpose(1, 2))


def _graph_weights(path: str):
    """The published graph's nodes in order, constants resolved."""
    graph = onnx.load(path).graph
    constants = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    for node in graph.node:
        if node.op_type in ("Conv", "BatchNormalization", "MatMul", "Mul", "Add"):
            values = [constants[i] for i in node.input if i in constants]
            if values:
                yield node.op_type, values


class _Cursor:
    """Hands out the graph's weights one by one and refuses a graph of another shape."""

    def __init__(self, path: str):
        # Hard-swish and SiLU are spelt out in the graph; their constants (3, 1, ...) are 0-dimensional.
        self.items = [(op, v) for op, v in _graph_weights(path) if op not in ("Mul", "Add") or v[0].ndim > 0]
        self.at = 0

    def take(self, op: str) -> list[np.ndarray]:
        found, values = self.items[self.at]
        if found != op:
            raise ValueError(f"node {self.at} of the published graph is {found}, expected {op}")
        self.at += 1
        return values


def _set(parameter: torch.Tensor, value: np.ndarray | torch.Tensor) -> None:
    with torch.no_grad():
        value = torch.as_tensor(np.array(value), dtype=torch.float32)
        parameter.copy_(value.reshape(parameter.shape))


def load_published(model: Recogniser, onnx_path: str, published: list[str], charset: list[str]) -> int:
    """Copies PP-OCRv4's weights; `published` is its dictionary as classes. Returns how many head rows were reused."""
    cursor = _Cursor(onnx_path)

    def affine() -> tuple[float, float]:
        return float(cursor.take("Mul")[0][0]), float(cursor.take("Add")[0][0])

    def batch_norm(norm: nn.BatchNorm2d) -> None:
        gamma, beta, mean, var = cursor.take("BatchNormalization")
        _set(norm.weight, gamma), _set(norm.bias, beta), _set(norm.running_mean, mean), _set(norm.running_var, var)

    def conv_bn(layer: ConvBnSwish) -> None:
        _set(layer.conv.weight, cursor.take("Conv")[0])
        batch_norm(layer.norm)

    (weight,) = cursor.take("Conv")
    gamma, beta, mean, var = cursor.take("BatchNormalization")
    scale = gamma / np.sqrt(var + 1e-5)
    _set(model.stem.weight, weight * scale[:, None, None, None])
    _set(model.stem.bias, beta - mean * scale)
    incoming = 1.0  # the scale of the activation before, moved into the next convolution
    for block in model.blocks:
        weight, bias = cursor.take("Conv")
        s, b = affine()
        _set(block.depthwise.weight, weight * incoming * s)
        _set(block.depthwise.bias, bias * s + b)
        s_dw, b_dw = affine()
        if block.excite is not None:
            _set(block.shift_depthwise, np.array([b_dw / s_dw]))
            down_w, down_b = cursor.take("Conv")
            _set(block.excite.down.weight, down_w * s_dw), _set(block.excite.down.bias, down_b)
            up_w, up_b = cursor.take("Conv")
            _set(block.excite.up.weight, up_w), _set(block.excite.up.bias, up_b)
            b_dw = 0.0
        weight, bias = cursor.take("Conv")
        s, b = affine()
        _set(block.pointwise.weight, weight * s_dw * s)
        _set(block.pointwise.bias, (bias + b_dw * weight.sum((1, 2, 3))) * s + b)
        incoming, b_pw = affine()
        _set(block.shift, np.array([b_pw / incoming]))
    first = model.squeeze[0].conv
    conv_bn(model.squeeze[0])
    _set(first.weight, first.weight * incoming)
    conv_bn(model.squeeze[1])

    def layer_norm(norm: nn.LayerNorm) -> None:
        _set(norm.weight, cursor.take("Mul")[0]), _set(norm.bias, cursor.take("Add")[0])

    def linear(layer: nn.Linear) -> None:
        _set(layer.weight, cursor.take("MatMul")[0].T), _set(layer.bias, cursor.take("Add")[0])

    for layer in model.mixing:
        layer_norm(layer.norm_mix)
        linear(layer.qkv), linear(layer.out)
        layer_norm(layer.norm_feed)
        linear(layer.up), linear(layer.down)
    layer_norm(model.norm)
    conv_bn(model.expand)
    conv_bn(model.fuse[0])
    fuse = model.fuse[0].conv.weight.detach().clone()
    fuse[:, :480] *= incoming  # the pooled half is unscaled here
    _set(model.fuse[0].conv.weight, fuse)
    conv_bn(model.fuse[1])
    with torch.no_grad():
        model.skip.norm.weight.fill_(0.5)

    head_w, head_b = cursor.take("MatMul")[0].T, cursor.take("Add")[0]
    index = {c: i for i, c in enumerate(published)}
    own, bias = torch.zeros_like(model.head.own), torch.full_like(model.head.bias, float(np.median(head_b)))
    reused = 0
    for i, c in enumerate(charset):
        if c in index and jamo_of(c)[0] == 0:
            own[i, :NECK] = torch.from_numpy(head_w[index[c]].copy())
            bias[i] = float(head_b[index[c]])
            reused += 1
    _set(model.head.own, own), _set(model.head.bias, bias)
    return reused


def load_shipped(model: Recogniser, onnx_path: str) -> None:
    """Takes the weights of the exported file up again. What export folded stays folded: batch norms do nothing but
    scale and shift and are to be kept from measuring anew (`frozen_norms`); the head's rows are divided among letters
    and residuals by least squares."""
    graph = onnx.load(onnx_path).graph
    stored = {i.name.removesuffix("_half").removeprefix("model."): torch.tensor(numpy_helper.to_array(i).astype(np.float32)) for i in graph.initializer}
    matrices = [stored[i] for node in graph.node if node.op_type == "MatMul" for i in node.input if i in stored]
    linear = [layer for block in model.mixing for layer in (block.qkv, block.out, block.up, block.down)]
    if len(matrices) != len(linear) + 1:
        raise ValueError(f"{onnx_path} has {len(matrices)} matrices, expected {len(linear) + 1}")
    for layer, matrix in zip(linear, matrices, strict=False):
        _set(layer.weight, matrix.T)
    stored |= _shifts(stored)
    names = dict(model.named_parameters())
    for name, value in stored.items():
        if name in names and not name.startswith("head"):
            _set(names[name], value)
    for name, module in model.named_modules():
        if isinstance(module, ConvBnSwish):
            _set(module.norm.bias, stored[f"{name}.conv.bias"])
            module.norm.weight.data.fill_(1.0)
            module.norm.running_mean.fill_(0.0)
            module.norm.running_var.fill_(1.0 - module.norm.eps)
    rows = matrices[-1].T.contiguous()
    letters = model.head.letters
    syllables = letters[:, 0] > 0
    sizes = [part.shape[0] for part in model.head.parts]
    one_hot = torch.cat([F.one_hot(letters[syllables, i], size) for i, size in enumerate(sizes)], 1).float()
    parts = torch.linalg.lstsq(torch.cat([one_hot, 0.1 * torch.eye(one_hot.shape[1])]), torch.cat([rows[syllables], torch.zeros(one_hot.shape[1], rows.shape[1])])).solution
    for part, value in zip(model.head.parts, parts.split(sizes), strict=True):
        _set(part, value)
    _set(model.head.own, torch.zeros_like(rows))
    with torch.no_grad():
        model.head.own.copy_(rows - model.head.weight())
    _set(model.head.bias, stored["head.bias"])


def _shifts(stored: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The scalar shifts of the blocks, which `export.py` writes as biases of depthwise convolutions, in the order of the graph."""
    found: dict[str, torch.Tensor] = {}
    for name, value in stored.items():
        if not name.endswith("/shift"):
            continue
        block = name.split("/")[-3]
        first = f"{block}.shift_depthwise" if f"{block}.excite.down.bias" in stored else f"{block}.shift"
        found[f"{block}.shift" if first in found else first] = value[:1]
    return found


def frozen_norms(model: Recogniser) -> Recogniser:
    """Training that keeps what the batch norms have measured."""
    for module in model.train().modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()
    return model
