"""Turns a checkpoint into the shipped model: `python training/hangul/export.py build/hangul/last.pt layers/ocr`.

The ONNX file takes x [N, 3, 48, W] (float32, v / 127.5 - 1, grey in all three channels) and gives
probabilities [N, W // 4 - 1, C]; weights are stored as fp16 and cast back when the session loads.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from data import DISTURBED_KINDS, evaluation_set, to_batch
from metrics import decode, printed, reliability, table
from model import ConvBnSwish, Recogniser


class Shipped(nn.Module):
    """The network with its head collapsed to one matrix, batch norms folded, and calibrated probabilities."""

    def __init__(self, model: Recogniser, temperature: float):
        super().__init__()
        self.model = model.eval()
        for module in model.modules():
            if isinstance(module, ConvBnSwish):
                module.conv = nn.utils.fusion.fuse_conv_bn_eval(module.conv, module.norm)
                module.norm = nn.Identity()
        head = nn.Linear(model.head.own.shape[1], model.head.own.shape[0])
        with torch.no_grad():
            head.weight.copy_(model.head.weight() / temperature)
            head.bias.copy_(model.head.bias / temperature)
        model.head = head

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).softmax(-1)


def halve(path: Path) -> None:
    """Stores large weights as fp16 behind a Cast; runtimes fold the cast at load, so arithmetic stays fp32."""
    model = onnx.load(path)
    casts, kept = [], []
    for weight in model.graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size > 256:
            kept.append(numpy_helper.from_array(values.astype(np.float16), weight.name + "_half"))
            casts.append(helper.make_node("Cast", [weight.name + "_half"], [weight.name], to=TensorProto.FLOAT))
        else:
            kept.append(weight)
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def shifts_as_convolutions(path: Path) -> None:
    """Writes each block's scalar shift as a 1 x 1 depthwise convolution: the same sums to the last bit.

    ONNX Runtime keeps convolutions in a layout of its own, but copies a whole map out of it and back for an addition of a scalar.
    """
    model = onnx.load(path)
    graph = model.graph
    weights = {weight.name: weight for weight in graph.initializer}
    made_by = {output: node for node in graph.node for output in node.output}
    for at, node in enumerate(graph.node):
        if node.op_type != "Add" or ".shift" not in node.input[1]:
            continue
        conv = made_by[node.input[0]]
        while conv.op_type != "Conv":
            conv = made_by[conv.input[0]]
        kernel = conv.input[1]
        channels = weights[made_by[kernel].input[0] if kernel in made_by else kernel].dims[0]
        shift = numpy_helper.to_array(weights[node.input[1]])
        names = [f"{node.name}/one", f"{node.name}/shift"]
        values = [np.ones((channels, 1, 1, 1), np.float32), np.full(channels, shift[0], np.float32)]
        graph.initializer.extend(map(numpy_helper.from_array, values, names))
        graph.initializer.remove(weights[node.input[1]])
        added = helper.make_node("Conv", [node.input[0], *names], node.output, node.name, group=channels, kernel_shape=[1, 1])
        graph.node[at].CopyFrom(added)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def read_all(session: ort.InferenceSession, lines: list, charset: list[str]) -> list[tuple[str, str, str, str, float]]:
    rows = []
    for kind, degradation, text, image in lines:
        probabilities = session.run(None, {"x": to_batch([image]).numpy()})[0][0]
        rows.append((kind, degradation, text, *decode(probabilities, charset)))
    return rows


def calibrate(model: Recogniser, per_cell: int, charset: list[str]) -> float:
    """The temperature under which a line's confidence is nearest to its chance of being exact (Brier score).

    Fitted on fonts of training with held-out words, so that the reliability table on held-out fonts stays a test.
    """
    # Never below 1: a model is surer on the fonts of its training than it may be on others.
    temperatures = [1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5]
    errors = np.zeros(len(temperatures))
    with torch.no_grad():
        for _, _, text, image in evaluation_set(per_cell, seen_fonts=True):
            logits = model(to_batch([image]))[0]
            for i, t in enumerate(temperatures):
                read, confidence = decode((logits / t).softmax(-1).numpy(), charset)
                errors[i] += (confidence - (read == text)) ** 2
    print("temperature, Brier sum:", ", ".join(f"{t}: {e:.2f}" for t, e in zip(temperatures, errors, strict=True)))
    return temperatures[int(errors.argmin())]


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("checkpoint")
    p.add_argument("out", type=Path)
    p.add_argument("--temperature", type=float, help="of the softmax; fitted when not given")
    p.add_argument("--per-cell", type=int, default=40, help="evaluation lines a kind and degradation class")
    a = p.parse_args()
    state = torch.load(a.checkpoint, map_location="cpu")
    charset: list[str] = state["charset"]
    model = Recogniser(charset)
    model.load_state_dict(state["average"])
    temperature = a.temperature or calibrate(model.eval(), a.per_cell, charset)
    shipped = Shipped(model, temperature).eval()
    a.out.mkdir(parents=True, exist_ok=True)
    path = a.out / "hangul-rec.onnx"
    torch.onnx.export(
        shipped, (torch.zeros(2, 3, 48, 320),), path, dynamo=False, opset_version=17, input_names=["x"], output_names=["probabilities"],
        dynamic_axes={"x": {0: "batch", 3: "width"}, "probabilities": {0: "batch", 1: "steps"}},
    )  # fmt: skip
    halve(path)
    shifts_as_convolutions(path)
    # One class a line, the blank excluded: class i is line i; the last line is the space.
    (a.out / "hangul-rec.txt").write_text("".join(c + "\n" for c in charset[1:]), encoding="utf-8")
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(str(path), options)
    rows = read_all(session, evaluation_set(a.per_cell), charset)
    print(f"training lines: {state['lines']}, temperature {temperature}, size {path.stat().st_size / 1e6:.2f} MB")
    print(printed(table([r[:4] for r in rows])))
    text, error = reliability([(r[4], r[2] == r[3]) for r in rows])
    print(text)
    print(f"expected calibration error {error:.3f}")
    print("with what stands over letters on paper:")
    print(printed(table([r[:4] for r in read_all(session, evaluation_set(a.per_cell, DISTURBED_KINDS, disturbed=True), charset)])))


if __name__ == "__main__":
    main()
