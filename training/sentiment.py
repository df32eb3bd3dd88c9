"""Trains the sentiment model: five stars as a softmax over two sums of hashed words, pairs of words and negated words.

A review is two numbers, the sums of its features' two weights; five stars are a softmax over them (2 x 5 numbers and five
biases, learned as well), so one and two stars, four and five teach each other's difference and the file holds two weights a
feature. The stars' probabilities are added up to three classes. Labels are stars or polarity. Reads reviews.*.tsv (tokenised).

  sentiment.py tune   choose SHIFT: every file scored by a model that never saw it, the four of HELD left out
  sentiment.py try    measure on the four whole files kept out of training
  sentiment.py ship   train on everything; write server/sentiment/sentiment.bin and the scores the tests expect
"""

import glob
import json
import os
import random
import struct
import sys
import time

import numba as nb
import numpy as np

from features import NEGATORS, SCOPE, SCOPE_ENDS, WORK, shipped, tokenize
from negation import examples

BUCKETS = 1 << 19
MAX_TOKENS = 400
EPOCHS, RATE, DECAY = 4, 0.15, 2e-6
FIRST = 0.1  # where Adagrad's sums begin: a rare feature's first steps stay small
SHIFT = 0.75  # added to the logit of neutral; chosen by `tune`
FOLDS = 4
EXCERPTS = 120_000  # excerpts of reviews of one and five stars that are examples of their own
EXCERPT_LENGTH, EXCERPT_SENTENCES = 90, 3  # sentences are put together up to here
HELD = ('yelp_ucd_categories', 'zomato_bangalore', 'tokyo_hotels_tripadvisor', 'amazon_popcorn_etc')
FNV_OFFSET, FNV_PRIME = 0x811C9DC5, 0x01000193
# mixed into a token's hash: which kind of feature it is
WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM = 0x1000193, 0x2545F491, 0x3C6EF35F, 0x41C64E6D, 0x5851F42D
# what a star's logit takes of the two sums to begin with
START = ((1, 0), (0.7, 0.2), (0, 0), (0.2, 0.7), (0, 1))
# Labels: 0 to 4 are stars less one, then negative, positive and neutral where only polarity is known. MAY: the stars a label
# allows; GIVEN: the stars it was chosen among (collections of praise and blame leave three stars out).
NEGATIVE, POSITIVE, NEUTRAL = 5, 6, 7
MAY = np.array(
    [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
        [1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 0, 1, 0, 0],
    ],
    np.float64,
)
GIVEN = np.ones((8, 5))
GIVEN[NEGATIVE, 2] = GIVEN[POSITIVE, 2] = 0
OUT = shipped('server/sentiment/sentiment.bin')
GOLDEN = shipped('test/sentiment/scores.golden.json')


def fnv(units):
    hashed = FNV_OFFSET
    for unit in units:
        hashed = ((hashed ^ unit) * FNV_PRIME) & 0xFFFFFFFF
    return hashed


def units(word):
    raw = word.encode('utf-16-le')
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


@nb.njit(inline='always')
def mix(hashed, salt):
    """The bucket of a token's hash as a kind of feature; server/sentiment/classifier.ts does the same."""
    hashed = np.uint32(np.uint32(hashed ^ salt) * np.uint32(0x85EBCA6B))
    hashed ^= hashed >> np.uint32(13)
    hashed = np.uint32(hashed * np.uint32(0xC2B2AE35))
    hashed ^= hashed >> np.uint32(16)
    return hashed & np.uint32(BUCKETS - 1)


class Words:
    """Words of texts as ids, with each word's hash."""

    def __init__(self):
        self.ids, self.hash = {}, []

    def id(self, word):
        number = self.ids.get(word)
        if number is None:
            number = self.ids[word] = len(self.hash)
            self.hash.append(fnv(units(word)))
        return number

    def flags(self, names):
        flag = np.zeros(len(self.hash), np.bool_)
        flag[[self.ids[name] for name in names if name in self.ids]] = True
        return flag

    def features(self, docs):
        """(tokens, raw text) pairs -> (buckets, offsets)."""
        ids, starts, marks = [], [0], []
        for tokens, raw in docs:
            ids.extend(self.id(word) for word in tokens.split()[:MAX_TOKENS])
            starts.append(len(ids))
            marks.append(('!' in raw) + 2 * ('?' in raw))
        return features(
            np.array(ids, np.int32),
            np.array(starts),
            np.array(marks, np.int8),
            np.array(self.hash, np.uint32),
            self.flags(NEGATORS),
            self.flags(SCOPE_ENDS),
        )


@nb.njit
def features(ids, starts, marks, hashes, negator, ends_scope):
    """The buckets of each text, each once.

    ids int32 [words of all texts], starts int64 [texts + 1]: text i is ids[starts[i]:starts[i + 1]]; marks int8 [texts];
    hashes uint32, negator and ends_scope bool [vocabulary]. Returns buckets uint32 and their starts, int64 [texts + 1].
    """
    out = np.empty(len(ids) * 3 + 2 * len(marks), np.uint32)
    out_starts = np.zeros(len(starts), np.int64)
    seen = np.full(BUCKETS, -1, np.int32)
    used = 0
    for text in range(len(starts) - 1):
        previous = np.uint32(FNV_OFFSET)
        scope_left = 0
        if marks[text] & 1:
            bucket = mix(np.uint32(0), np.uint32(EXCLAIM))
            out[used] = bucket
            used += 1
            seen[bucket] = text
        if marks[text] & 2:
            bucket = mix(np.uint32(0), np.uint32(QUESTION))
            out[used] = bucket
            used += 1
            seen[bucket] = text
        for at in range(starts[text], starts[text + 1]):
            word = ids[at]
            hashed = hashes[word]
            bucket = mix(hashed, np.uint32(WORD))
            if seen[bucket] != text:
                seen[bucket] = text
                out[used] = bucket
                used += 1
            bucket = mix(np.uint32(np.uint32(previous * np.uint32(FNV_PRIME)) ^ hashed), np.uint32(BIGRAM))
            if seen[bucket] != text:
                seen[bucket] = text
                out[used] = bucket
                used += 1
            if negator[word]:
                scope_left = SCOPE
            else:
                if ends_scope[word]:
                    scope_left = 0
                if scope_left > 0:
                    scope_left -= 1
                    bucket = mix(hashed, np.uint32(NEGATED))
                    if seen[bucket] != text:
                        seen[bucket] = text
                        out[used] = bucket
                        used += 1
            previous = hashed
        out_starts[text + 1] = used
    return out[:used], out_starts


@nb.njit(fastmath=True)
def epoch(buckets, starts, label, may, given, weights, parts, biases, order, rate, decay):
    """One pass of Adagrad; returns the mean loss.

    label uint8 [texts]; may, given float64 [labels, 5]; weights float32 [BUCKETS, 4]: two weights, then their sums of
    squared gradients; parts float64 [5, 2]: what a star's logit takes of the two sums; biases float64 [5]; order: texts.
    """
    allowed, right, gradient = np.zeros(5), np.zeros(5), np.zeros(5)
    loss = 0.0
    for text in order:
        start, end = starts[text], starts[text + 1]
        if end == start:
            continue
        scale = 1 / np.sqrt(end - start)
        negative = positive = 0.0
        for at in range(start, end):
            negative += weights[buckets[at], 0]
            positive += weights[buckets[at], 1]
        negative *= scale
        positive *= scale
        top = -1e9
        for star in range(5):
            allowed[star] = biases[star] + parts[star, 0] * negative + parts[star, 1] * positive
            top = max(top, allowed[star])
        allowed_sum, right_sum = 0.0, 0.0
        for star in range(5):
            likelihood = np.exp(allowed[star] - top)
            allowed[star] = likelihood * given[label[text], star]
            right[star] = likelihood * may[label[text], star]
            allowed_sum += allowed[star]
            right_sum += right[star]
        loss -= np.log(right_sum / allowed_sum + 1e-12)
        to_negative = to_positive = 0.0
        for star in range(5):
            gradient[star] = allowed[star] / allowed_sum - right[star] / right_sum
            to_negative += parts[star, 0] * gradient[star]
            to_positive += parts[star, 1] * gradient[star]
        to_negative *= scale
        to_positive *= scale
        for at in range(start, end):
            bucket = buckets[at]
            step_negative, step_positive = (
                to_negative + decay * weights[bucket, 0],
                to_positive + decay * weights[bucket, 1],
            )
            weights[bucket, 2] += step_negative * step_negative
            weights[bucket, 3] += step_positive * step_positive
            weights[bucket, 0] -= rate * step_negative / np.sqrt(weights[bucket, 2])
            weights[bucket, 1] -= rate * step_positive / np.sqrt(weights[bucket, 3])
        for star in range(5):
            biases[star] -= rate * 0.01 * gradient[star]
            parts[star, 0] -= rate * 0.001 * gradient[star] * negative
            parts[star, 1] -= rate * 0.001 * gradient[star] * positive
    return loss / len(order)


@nb.njit
def sums(buckets, starts, weights):
    """Each text's two sums, not yet divided by the root of its number of features: float64 [texts, 2]."""
    out = np.zeros((len(starts) - 1, 2))
    for text in range(len(starts) - 1):
        for at in range(starts[text], starts[text + 1]):
            out[text, 0] += weights[buckets[at], 0]
            out[text, 1] += weights[buckets[at], 1]
    return out


def label_of(stars):
    """The label of a review: a polarity is written as -1, -3 or -5."""
    if stars < 0:
        return {-1: NEGATIVE, -3: NEUTRAL, -5: POSITIVE}[round(stars)]
    return min(max(round(stars), 1), 5) - 1


def class_of(stars):
    size = abs(stars)
    return 0 if size <= 2 else 1 if size < 3.5 else 2


def excerpts(pieces):
    """Sentences of a review, (tokens, raw text) each, put together as an excerpt has them."""
    at = 0
    while at < len(pieces):
        end = at + 1
        while end < min(len(pieces), at + EXCERPT_SENTENCES) and sum(len(r) for _, r in pieces[at:end]) < EXCERPT_LENGTH:
            end += 1
        yield ' '.join(words for words, _ in pieces[at:end]), ' '.join(original for _, original in pieces[at:end])
        at = end


def load():
    """Labelled texts as (tokens, raw text), with their files, labels, classes, and whether each is a whole review.

    Whole reviews first, then made-up examples, then excerpts of reviews of one and of five stars: by themselves most of them
    praise or blame as the review does, and a project that leaves complaints out judges excerpts.
    """
    docs, files, labels, classes, cut = [], [], [], [], []
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            cells = line.rstrip('\n').split('\t')
            stars = float(cells[1])
            if stars == 0:
                continue
            pieces = [sentence.split('\x01', 1) for sentence in cells[4:]]
            docs.append((' '.join(words for words, _ in pieces), ' '.join(original for _, original in pieces)))
            files.append(cells[0])
            labels.append(label_of(stars))
            classes.append(class_of(stars))
            if abs(stars) in (1, 5) and len(pieces) > 1:
                cut += [(excerpt, cells[0], abs(stars) == 5) for excerpt in excerpts(pieces)]
    if not docs:
        sys.exit(f'no reviews.*.tsv in {WORK}: see make.sh')
    reviews = len(docs)
    for tokens, raw, label_number in examples():
        docs.append((tokens, raw))
        files.append('')
        labels.append((NEGATIVE, NEUTRAL, POSITIVE)[label_number])
        classes.append(label_number)
    for excerpt, file, praise in random.Random(5).sample(cut, min(EXCERPTS, len(cut))):
        docs.append(excerpt)
        files.append(file)
        labels.append(POSITIVE if praise else NEGATIVE)
        classes.append(2 if praise else 0)
    whole = np.arange(len(docs)) < reviews
    return docs, np.array(files), np.array(labels, np.uint8), np.array(classes), whole


def fit(buckets, starts, label, rows, seed=0):
    """Weights float32 [BUCKETS, 2], parts [5, 2] and biases [5], learned from the texts in `rows`."""
    weights = np.zeros((BUCKETS, 4), np.float32)
    weights[:, 2:] = FIRST
    parts, biases = np.array(START, np.float64), np.zeros(5)
    rng = np.random.default_rng(seed)
    for round_number in range(EPOCHS):
        loss = epoch(
            buckets,
            starts,
            label,
            MAY,
            GIVEN,
            weights,
            parts,
            biases,
            rows[rng.permutation(len(rows))],
            RATE * (1 - round_number / (EPOCHS + 0.5)),
            DECAY,
        )
        print('  epoch', round_number, round(loss, 4), flush=True)
    return weights[:, :2], parts, biases


def logits(buckets, starts, weights, parts, biases):
    """Three classes' logits, the sums over the stars of each: float64 [texts, 3]."""
    two_sums = sums(buckets, starts, weights) / np.sqrt(np.maximum(np.diff(starts), 1))[:, None]
    stars = two_sums @ parts.T + biases
    return np.stack([np.logaddexp(stars[:, 0], stars[:, 1]), stars[:, 2], np.logaddexp(stars[:, 3], stars[:, 4])], 1)


def f1(truth, predicted):
    """Of each class, float64 [3]."""
    out = []
    for label in range(3):
        hits = ((truth == label) & (predicted == label)).sum()
        out.append(2 * hits / max(1, (truth == label).sum() + (predicted == label).sum()))
    return np.array(out)


def some(buckets, starts, rows):
    """The features of some of the texts."""
    lengths = np.diff(starts)[rows]
    at = np.repeat(starts[rows] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) + np.arange(lengths.sum())
    return buckets[at], np.concatenate([[0], np.cumsum(lengths)])


def report(name, truth, scores, files):
    cells = []
    for file in list(dict.fromkeys(files)) + ['all']:
        chosen = np.ones(len(truth), bool) if file == 'all' else files == file
        polar = chosen & (truth != 1)
        cells.append(
            f'{file[:10]} {f1(truth[chosen], scores[chosen].argmax(1)).mean():.3f}/{(np.where(scores[polar, 2] > scores[polar, 0], 2, 0) == truth[polar]).mean():.3f}'
        )
    print(f'{name:10s}', ' | '.join(cells), f1(truth, scores.argmax(1)).round(3), flush=True)


def tune(buckets, starts, label, truth, files, whole):
    """The best SHIFT for macro-F1, by models that never saw the file they judge; a file counts for 5,000 reviews at most."""
    names = [file for file in np.unique(files) if file and file not in HELD]
    fold = {file: number % FOLDS for number, file in enumerate(names)}
    fold_of = np.array([fold.get(file, -1) for file in files])
    rng = np.random.default_rng(1)
    truths, scores_of = [], []
    for part in range(FOLDS):
        model = fit(buckets, starts, label, np.flatnonzero((fold_of != part) & ~np.isin(files, HELD)))
        for file in names:
            rows = np.flatnonzero((files == file) & whole)
            if fold[file] == part and (truth[rows] == 1).sum() >= 40:
                rows = np.sort(rng.permutation(rows)[:5000])
                truths.append(truth[rows])
                scores_of.append(logits(*some(buckets, starts, rows), *model))
    truth, scores = np.concatenate(truths), np.concatenate(scores_of)
    table = [
        (f1(truth, (scores + [0, shift, 0]).argmax(1)).mean(), round(shift, 2)) for shift in np.arange(0, 1.31, 0.05)
    ]
    print(len(truth), 'reviews of', len(truths), 'files; macro-F1 and shift:')
    for value, shift in sorted(table)[::-1][:5] + table[:1]:
        print(f'  {value:.4f} {shift}')


def quantise(weights):
    """int8 by one scale per sum; the clipped tail is 1 in 20,000."""
    scale = np.quantile(np.abs(weights), 0.99995, axis=0) / 127
    return np.clip(np.round(weights / scale), -127, 127).astype(np.int8), scale


def write(path, quantised, scale, parts, biases):
    """Little-endian: magic PQSM, version, buckets, 0 (uint32 each); float64: 2 scales, 5 x 2 of the stars, 5 biases; int8 pairs."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(
            b'PQSM'
            + struct.pack('<III', 2, BUCKETS, 0)
            + struct.pack('<17d', *scale, *parts.ravel(), *biases)
            + quantised.tobytes()
        )
    print('wrote', path, os.path.getsize(path))


def read(path):
    """What `write` wrote, as `logits` takes it: weights, the stars' parts of the sums, biases."""
    with open(path, 'rb') as file:
        file.seek(16)
        numbers = np.frombuffer(file.read(17 * 8))
        weights = np.frombuffer(file.read(), np.int8).reshape(-1, 2) * numbers[:2]
    return weights, numbers[2:12].reshape(5, 2), numbers[12:]


GOLDEN_TEXTS = (
    '',
    '...',
    'Not bad at all!',
    'I would not go back.',
    'Great place, friendly people and wonderful food. Will we return? Yes!',
    "It wasn't that good, but because of the view we stayed.",
    'We did not really find the breakfast room very easily.',
    'Never, ever again: no hot water, nobody helped, nothing worked.',
    'good good good good not good not good',
    'Café Noël — très bien, naïve façade; 3.50 € for 12 or 1,200 people at 10:30',
    'Sooooo goooood 😀😀 👍🏽',
    '駅に近い。とても良い',
    "l'hôtel était propre, qu'il fait bon",
    'WIFI wi-fi Wi Fi',
    'without neither nor hardly none only just however although though',
    ' '.join(chr(97 + i // 26) + chr(97 + i % 26) + 'q' for i in range(MAX_TOKENS + 20)),
)


def write_golden(words, quantised):
    """Features and whole-number sums of made-up texts: the product must come to the same."""
    docs = list(zip(tokenize(GOLDEN_TEXTS), GOLDEN_TEXTS))
    buckets, starts = words.features(docs)
    rows = [
        {'text': text, 'features': int(count), 'negative': int(two_sums[0]), 'positive': int(two_sums[1])}
        for text, count, two_sums in zip(GOLDEN_TEXTS, np.diff(starts), sums(buckets, starts, quantised))
    ]
    with open(GOLDEN, 'w') as file:
        file.write(json.dumps(rows, indent=2, ensure_ascii=False) + '\n')


def main():
    mode = sys.argv[1]
    began = time.time()
    docs, files, label, classes, whole = load()
    words = Words()
    buckets, starts = words.features(docs)
    print(
        len(classes),
        'texts',
        np.bincount(classes),
        'features a text',
        round(len(buckets) / len(classes)),
        's',
        round(time.time() - began),
        flush=True,
    )
    if mode == 'tune':
        tune(buckets, starts, label, classes, files, whole)
    else:
        held = np.isin(files, HELD) if mode == 'try' else np.zeros(len(classes), bool)
        weights, parts, biases = fit(buckets, starts, label, np.flatnonzero(~held))
        biases[2] += SHIFT
        quantised, scale = quantise(weights)
        if mode == 'try':
            rows = np.flatnonzero(held & whole)
            chosen = some(buckets, starts, rows)
            report('float', classes[rows], logits(*chosen, weights, parts, biases), files[rows])
            report('int8', classes[rows], logits(*chosen, quantised * scale, parts, biases), files[rows])
            rows = np.flatnonzero(held & ~whole)
            scores = logits(*some(buckets, starts, rows), quantised * scale, parts, biases)
            complains = scores[:, 0] > np.logaddexp(scores[:, 1], scores[:, 2])
            for name, kind in (('one star', 0), ('five stars', 2)):
                mine = classes[rows] == kind
                print(
                    f'excerpts of {name}: {mine.sum()}, likeliest negative {(scores[mine].argmax(1) == 0).mean():.3f},'
                    f' more likely than not {complains[mine].mean():.3f}'
                )
            write(f'{WORK}/sentiment.try.bin', quantised, scale, parts, biases)
        if mode == 'ship':
            write(OUT, quantised, scale, parts, biases)
            write_golden(words, quantised)
    print(round(time.time() - began), 's')


if __name__ == '__main__':
    main()
