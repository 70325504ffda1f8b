"""`python training/layout/export.py <last.pt> <out.onnx>`: gray page `x` [1, 1, H, W] in -1..1, sides multiples of 16; logits `y` [1, 4, H, W]."""

import sys

import torch

from model import LayoutNet

model = LayoutNet()
model.load_state_dict(torch.load(sys.argv[1]))
model.eval()
torch.onnx.export(
    model, torch.zeros(1, 1, 320, 480), sys.argv[2], input_names=["x"], output_names=["y"], dynamic_axes={"x": {2: "h", 3: "w"}, "y": {2: "h", 3: "w"}}, opset_version=17, dynamo=False
)
