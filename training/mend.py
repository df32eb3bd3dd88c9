"""Mends what a finished table gets wrong, in a few hundred short steps: opposites ("quiet room" against "loud"), titles that only
rate ("laptop" against "Wow!") and texts that share nothing but a negation ("not worth the money" against "I am not kidding").

Goes on from the shipped file, on pairs without the files that kept_out.py keeps out, while the cosines of other texts are held
where they were: the table is its own teacher. Words, phrases, doubts and the threshold stay, so languages.bin goes on fitting.
"""

import argparse
import os
import random
import struct
import time

import numpy as np

from evaluation import HEAD, line
from export import quantise
from features import NEGATORS, SCOPE_ENDS, WORK, Vocabulary, bags, shipped, unit
from mine import STOP
from train import Evaluator, Source, Table, joined, sigmoid, softmax

MIX = {
    'opposite': 3,
    'hollow': 3,
    'negation': 1.5,
    'phrase': 1.5,
    'question': 5,
    'title': 1,
    'subjqa': 1.5,
    'quora': 0.5,
    'nli': 0.5,
    'aspect': 0.7,
}
QUERY_LIKE = ('opposite', 'hollow', 'negation', 'phrase', 'question', 'title', 'subjqa')
POLAR = ('opposite', 'hollow', 'negation', 'phrase', 'aspect', 'nli')
HELD_TO = ('next', 'quora', 'nli', 'gloss', 'aspect', 'faq', 'sts')


class Shipped(Vocabulary):
    """The vocabulary of a written file, its table, and where that lies (export.py says how it is written)."""

    def __init__(self, path):
        self.raw = bytearray(open(path, 'rb').read())
        _, dimensions, words, phrases, size = struct.unpack_from('<5I', self.raw, 4)
        at = 4 + 5 * 4 + 7 * 8
        self.names = bytes(self.raw[at : at + size]).decode().split('\n')
        at += size
        at += -at % 4
        pairs = np.frombuffer(self.raw, np.uint16, phrases * 2, at).reshape(-1, 2).astype(np.int64)
        at += phrases * 4
        self.words, features = words, words + phrases
        self.size = np.int64(features)
        self.names += [f'{self.names[a]}_{self.names[b]}' for a, b in pairs]
        self.index = {word: i for i, word in enumerate(self.names[:words])}
        self.gain = np.frombuffer(self.raw, np.uint8, features, at).astype(np.float32) / 100
        at += 3 * features
        at += -at % 4
        self.rows_at = at
        scale = np.frombuffer(self.raw, np.float32, features, at)
        rows = np.frombuffer(self.raw, np.int8, features * dimensions, at + 4 * features)
        self.vectors = rows.reshape(features, dimensions).astype(np.float32) * scale[:, None]
        keys = pairs[:, 0] * features + pairs[:, 1]
        order = np.argsort(keys)
        self.keys, self.values = keys[order], np.arange(words, features, dtype=np.int32)[order]
        self.negated = np.full(features, -1, np.int32)
        for i, (a, b) in enumerate(pairs):
            if a == self.index['not']:
                self.negated[b] = words + i
        self.negator, self.ends_scope = np.zeros(features, np.bool_), np.zeros(features, np.bool_)
        self.negator[[self.index[word] for word in NEGATORS]] = True
        self.ends_scope[[self.index[word] for word in SCOPE_ENDS]] = True

    def write(self, vectors, path):
        quantised, scale = quantise(vectors)
        self.raw[self.rows_at :] = scale.tobytes() + quantised.tobytes()
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        open(path, 'wb').write(self.raw)
        print(path, len(self.raw))


def negations(most=60_000):
    """A negated phrase or title with its sentence; hard negative: a short sentence that shares the negation and nothing else."""
    rng, negators = random.Random(3), set(NEGATORS)
    rows = lambda name: [row.rstrip('\n').split('\t') for row in open(f'{WORK}/pairs.{name}.tsv')]
    turned = [cells for name in ('phrase', 'title', 'cloze') for cells in rows(name) if negators & set(cells[0].split())]
    short = [
        cells[0]
        for name in ('next', 'title')
        for cells in rows(name)
        if negators & set(cells[0].split()) and cells[0].count(' ') < 9
    ]
    with open(f'{WORK}/pairs.negation.tsv', 'w') as file:
        for cells in rng.sample(turned, min(most, len(turned))):
            telling = set(cells[0].split()) - STOP - negators
            hard = next((text for text in rng.sample(short, 5) if not telling & set(text.split())), '')
            if hard and telling and cells[0].count(' ') < 9:
                file.write(f'{cells[0]}\t{cells[1]}\t{hard}\t\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--out', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--steps', type=int, default=300)
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--tau', type=float, default=0.2)
    parser.add_argument('--margin', type=float, default=2.5)
    parser.add_argument('--hold', type=float, default=6.0)
    parser.add_argument('--eval', action='store_true')
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    vocabulary = Shipped(options.model)
    first_table = vocabulary.vectors.copy()
    # Adam's steps are of one length: the table is brought to the runs' scale and back
    scale = np.sqrt((first_table * first_table).sum(1).mean())
    table = Table(first_table / scale, 0.9)
    table.gain = vocabulary.gain.copy()
    before = table.vectors.copy()
    if not os.path.exists(f'{WORK}/pairs.negation.tsv'):
        negations()
    sources = {name: Source(vocabulary, name) for name in sorted({*MIX, *HELD_TO})}
    names, share = list(MIX), np.array(list(MIX.values()))
    share = share / share.sum()
    evaluate = Evaluator(vocabulary) if options.eval else None
    if evaluate:
        print(HEAD)
        print(line('before', evaluate(first_table, vocabulary.gain)), flush=True)
    began, losses = time.time(), []
    for step in range(options.steps):
        rate = options.rate * min(1, (step + 1) / 40) * max(0.02, 1 - step / options.steps)
        parts, labels, hard, polar, asks = [[], [], []], [], [], [], []
        for _ in range(2):
            chosen = int(rng.choice(len(names), p=share))
            source = sources[names[chosen]]
            pick = rng.choice(source.usable, min(384, len(source.usable)))
            for column in range(3):
                parts[column].append(source.take(pick, column, rng, 0.05))
            labels.append(np.where(source.label[pick] >= 0, source.label[pick] + 1_000_000 * (chosen + 1), -1))
            hard.append(source.has_hard[pick])
            asks.append(np.full(len(pick), names[chosen] in QUERY_LIKE))
            polar.append(source.has_hard[pick] & (names[chosen] in POLAR))
        first, second, negative = (joined(part) for part in parts)
        label, hard, polar = np.concatenate(labels), np.concatenate(hard), np.concatenate(polar)
        size = len(label)
        at = np.arange(size)
        first_units, first_state = table.forward(first, np.concatenate(asks))
        second_units, second_state = table.forward(second)
        hard_units, hard_state = table.forward(negative)
        cosines = first_units @ second_units.T
        same = (
            (first[3][:, None] == first[3])
            | (second[3][:, None] == second[3])
            | ((label[:, None] == label) & (label[:, None] >= 0))
        )
        np.fill_diagonal(same, False)
        logits = np.where(same, -1e4, cosines / options.tau).astype(np.float32)
        hard_cosines = (first_units * hard_units).sum(1)
        with_hard = np.where(hard, hard_cosines / options.tau, -1e4)[:, None].astype(np.float32)
        by_first, by_second = softmax(np.concatenate([logits, with_hard], 1)), softmax(logits.T).T
        losses.append(-np.log(by_first[at, at] + 1e-9).mean())
        cosine_gradient = (by_first[:, :size] + by_second) / (2 * size * options.tau)
        cosine_gradient[at, at] -= 1 / (size * options.tau)
        hard_gradient = by_first[:, size] / (2 * size * options.tau)
        push = sigmoid((hard_cosines - cosines[at, at] + 0.15) / 0.1) / 0.1 * polar * (options.margin / size)
        hard_gradient = ((hard_gradient + push) * hard).astype(np.float32)[:, None]
        cosine_gradient[at, at] -= push
        cosine_gradient = cosine_gradient.astype(np.float32)
        table.backward(first, first_units, first_state, cosine_gradient @ second_units + hard_gradient * hard_units)
        table.backward(second, second_units, second_state, cosine_gradient.T @ first_units)
        if hard.any():
            table.backward(negative, hard_units, hard_state, hard_gradient * first_units)
        # pairs of one source, and review sentences far from them: what is foreign to each other stays so
        source, reviews = sources[HELD_TO[rng.integers(len(HELD_TO))]], sources['next']
        pick, far = rng.choice(source.usable, 256), rng.choice(reviews.usable, 128)
        bag = joined([source.take(pick, 0, rng, 0), source.take(pick, 1, rng, 0), reviews.take(far, 0, rng, 0)])
        units, state = table.forward(bag)
        target = unit(bags(bag[0], bag[1], before, bag[2]))
        difference = units @ units.T - target @ target.T
        table.backward(bag, units, state, ((4 * options.hold / len(units)) * difference @ units).astype(np.float32))
        table.update(rate)
        if step % 100 == 99:
            print(step + 1, round(float(np.mean(losses[-100:])), 3), round(time.time() - began), flush=True)
    vectors = table.vectors * scale
    vectors[np.linalg.norm(first_table, axis=1) < 1e-6] = 0
    if evaluate:
        print(line('after', evaluate(vectors, vocabulary.gain)), flush=True)
    vocabulary.write(vectors, options.out)


if __name__ == '__main__':
    main()
