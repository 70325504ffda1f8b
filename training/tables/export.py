"""`python training/tables/export.py <last.pt> <out.onnx>`: `ids` [1, N, 40], `numbers` [1, N, 20], `boxes` and `cells` [1, N, 4]; logits `roles`
[1, N, R] and `anchors` [1, N, N]."""

import sys

import torch

from features import BUCKETS, IDS, NUMBERS
from model import TableNet

N = 7
model = TableNet()
model.load_state_dict(torch.load(sys.argv[1]))
model.eval()
names = ["ids", "numbers", "boxes", "cells"]
inputs = (torch.randint(1, BUCKETS, (1, N, IDS)), torch.rand(1, N, NUMBERS), torch.rand(1, N, 4).cumsum(-1), torch.zeros(1, N, 4))
axes = {name: {1: "n"} for name in names} | {"roles": {1: "n"}, "anchors": {1: "n", 2: "n"}}
torch.onnx.export(model, inputs, sys.argv[2], input_names=names, output_names=["roles", "anchors"], dynamic_axes=axes, opset_version=17, dynamo=False)
