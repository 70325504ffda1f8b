"""`python training/tables/average.py <a.pt> <b.pt> <out.pt>`: the mean of two runs' weights, of which the second went on from the first."""

import sys

import torch

first, second = (torch.load(path) for path in sys.argv[1:3])
torch.save({name: (first[name] + second[name]) / 2 for name in first}, sys.argv[3])
