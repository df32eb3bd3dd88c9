"""Adds English words that the table lacks to languages.bin, as a language `en` of its own: a short list of the table's words each.

    PULLQUOTE_ENGLISH=folder python rare_words.py [--lexicon server/embed/builtin/languages.bin] [--out the same]

The table has the 36,000 most frequent words of reviews, so a shop's "kohlrabi", "litigation" or "javelins" were compared by
spelling, or taken for another language. The folder holds `wordnet/{index,data}.{noun,verb,adj,adv}` (WordNet 3.1), `scowl.txt`
(English words, one a line) and `glove.npy`, float32 [words, 100], with `glove.words`, one a line.

A word's meaning is put together from its nearest known words in GloVe, what WordNet says of it (synonyms, the kind of thing, words
of the gloss) and a ridge regression from GloVe to the table; then the few known words whose sum comes nearest are chosen by
orthogonal matching pursuit. The words of shop-words.txt mean what stands there. `--check` does it for known words, as if they were not, and tells how near it comes.
Runs after senses.py; running it twice changes nothing.
"""

import argparse
import collections
import math
import os
import re

import numpy as np
from wordfreq import zipf_frequency

from features import HERE, shipped, unit
from languages import OUT, Written, read, write
from mend import Shipped

CODE = 'en'
LEAST_ZIPF, LEAST_INFLECTED = 1.3, 2.2  # of WordNet's words; of SCOWL's others, mostly forms of verbs
NEIGHBOURS, LEAST_COSINE = 12, 0.3
WORDNET, REGRESSION = 0.8, 0.6  # beside 1 for GloVe's neighbours
AMONG, NEAREST, MOST_FEATURES = 20_000, 200, 6
LEAST_LENGTH = 1.2  # of an entry, and of the rows that lengthen.py lengthens
POS = ('noun', 'verb', 'adj', 'adv')
STOP = frozenset(
    'a an the of or and in to for with that is are by from as on at its it be used having not one which who any you something'
    ' someone especially usually made make very can up out than was were has have into their they other such'.split()
)


def other_numbers(word):
    """Singulars and plurals that a word may have, as server/embed/builtin/english-forms.ts tries them."""
    if not word.endswith('s'):
        return [word + 's']
    if word.endswith('ss'):
        return []
    ends = [('s', ''), ('es', ''), ('ies', 'y')]
    return [word[: -len(a)] + b for a, b in ends if word.endswith(a) and len(word) - len(a) + len(b) >= 4]


class WordNet:
    def __init__(self, folder):
        self.synsets, self.senses, self.seen = {}, collections.defaultdict(list), collections.Counter()
        for pos in POS:
            for line in open(f'{folder}/data.{pos}'):
                if line.startswith(' '):
                    continue
                head, gloss = line.rstrip('\n').split(' | ', 1)
                cells = head.split(' ')
                n = int(cells[3], 16)
                words = [re.sub(r'\(.*\)', '', cells[4 + 2 * i]).lower() for i in range(n)]
                at = 4 + 2 * n
                pointers = [cells[at + 1 + 4 * i : at + 4 + 4 * i] for i in range(int(cells[at]))]
                parts = {'n': 'noun', 'v': 'verb', 'a': 'adj', 's': 'adj', 'r': 'adv'}
                kinds = [(parts[p], to) for kind, to, p in pointers if kind in ('@', '@i')]
                like = [(parts[p], to) for kind, to, p in pointers if kind in ('&', '+', '\\')]
                is_name = any(kind == '@i' for kind, _, _ in pointers)
                told = [w for w in re.findall('[a-z]+', gloss.split('; "')[0].lower()) if w not in STOP]
                self.seen.update(set(told))
                self.synsets[pos, cells[0]] = (words, kinds, like, told, is_name)
            for line in open(f'{folder}/index.{pos}'):
                if not line.startswith(' '):
                    cells = line.split()
                    self.senses[cells[0]] += [(pos, to) for to in cells[-int(cells[2]) :]]

    def is_name(self, word):
        return self.synsets[self.senses[word][0]][4]

    def near(self, word):
        """Words that tell what a word means -> how much each does."""
        found = collections.Counter()
        senses = self.senses.get(word) or next((self.senses[w] for w in other_numbers(word) if w in self.senses), [])
        for rank, sense in enumerate(senses[:3], 1):
            words, kinds, like, told, _ = self.synsets[sense]
            for w in words:
                found[w] += 1 / rank
            for kind in kinds[:2]:
                names, above = self.synsets[kind][:2]
                for w in names:
                    found[w] += 0.6 / rank / len(names) ** 0.5
                for w in [w for up in above[:1] for w in self.synsets[up][0]]:
                    found[w] += 0.25 / rank / len(self.synsets[above[0]][0]) ** 0.5
            for w in [w for one in like[:3] for w in self.synsets[one][0][:3]]:
                found[w] += 0.3 / rank
            for i, w in enumerate(told[:14]):
                found[w] += 0.05 / rank * math.log(len(self.synsets) / (1 + self.seen[w])) / (1 + 0.08 * i)
        return found


class Meanings:
    """What words mean in the table, by sources that know them and more."""

    def __init__(self, table, folder, left_out=()):
        self.wordnet = WordNet(f'{folder}/wordnet')
        self.table = table
        self.names = table.names[: table.words]
        self.rows = unit(table.vectors[: table.words])
        words = open(f'{folder}/glove.words').read().split('\n')
        self.place = {w: i for i, w in enumerate(words)}
        glove = np.load(f'{folder}/glove.npy')
        # what all words have in common, and the two components that tell frequency
        glove -= glove[:50_000].mean(0)
        common = np.linalg.svd(glove[:50_000], full_matrices=False)[2][:2]
        self.glove = unit(glove - (glove @ common.T) @ common)
        places = np.array([self.place.get(w, -1) for w in self.names])
        self.known = np.where((places >= 0)[:, None], self.glove[places], 0)
        rows = [i for i in range(AMONG) if places[i] >= 0 and i not in left_out]
        x = self.known[rows]
        self.regression = np.linalg.solve(x.T @ x + 5 * np.eye(x.shape[1]), x.T @ self.rows[rows])
        self.may_tell = np.array([bool(re.fullmatch('[a-z]{3,}', w)) and w not in STOP for w in self.names[:AMONG]])

    def of(self, words):
        """Unit vectors [words, dimensions]; each as if the table had neither the word nor its other number."""
        places = [self.place[w] for w in words]
        cosines = self.glove[places] @ self.known.T
        out = np.zeros((len(words), self.rows.shape[1]), np.float32)
        for i, word in enumerate(words):
            own = self.own(word)
            cosines[i, own] = -1
            top = np.argpartition(-cosines[i], NEIGHBOURS)[:NEIGHBOURS]
            top = top[cosines[i, top] > LEAST_COSINE]
            near = unit((cosines[i, top, None] ** 4 * self.rows[top]).sum(0))
            for name, much in self.wordnet.near(word).items():
                parts = name.split('_')
                for part in parts:
                    at = self.table.index.get(part, -1)
                    if at >= 0 and at not in own and part not in STOP:
                        out[i] += much / len(parts) * self.rows[at]
            out[i] = unit(near + WORDNET * unit(out[i])) + REGRESSION * unit(self.glove[places[i]] @ self.regression)
        return unit(out)

    def own(self, word):
        return [self.table.index[w] for w in (word, *other_numbers(word)) if w in self.table.index]

    def features(self, meaning, own):
        """The known words whose weighted sum comes nearest to a meaning -> [(row, weight of its unit vector)]."""
        cosines = self.rows[:AMONG] @ meaning
        cosines[~self.may_tell] = -1
        cosines[[i for i in own if i < AMONG]] = -1
        near = np.argpartition(-cosines, NEAREST)[:NEAREST]
        candidates = self.rows[near]
        chosen, rest = [], meaning
        for _ in range(MOST_FEATURES):
            fit = candidates @ rest
            fit[chosen] = -1
            chosen.append(int(np.argmax(fit)))
            weights = np.linalg.lstsq(candidates[chosen].T, meaning, rcond=None)[0]
            rest = meaning - weights @ candidates[chosen]
        return [(int(near[i]), float(w)) for i, w in zip(chosen, weights) if w > 0.05]


def rare_words(meanings, folder):
    """Word -> Zipf frequency."""
    known, wordnet = meanings.table.index, meanings.wordnet
    others = {w for w in open(f'{folder}/scowl.txt').read().split('\n') if w not in wordnet.senses}
    found = {}
    for words, least in ((wordnet.senses, LEAST_ZIPF), (others, LEAST_INFLECTED)):
        for w in words:
            zipf = frequency(w)
            if zipf < least or not re.fullmatch('[a-z]{4,24}', w) or w not in meanings.place:
                continue
            if w in known or any(o in known for o in other_numbers(w)) or (w in wordnet.senses and wordnet.is_name(w)):
                continue
            found[w] = zipf
    # the other number of a word that is there says the same
    return {w: z for w, z in found.items() if not w.endswith('s') or not any(o in found for o in other_numbers(w))}


def frequency(word):
    """Of the more frequent of its numbers."""
    return max(zipf_frequency(w, 'en') for w in (word, word + 's'))


def told(table):
    """Word -> English words that it means."""
    out = {}
    for line in open(os.path.join(HERE, 'shop-words.txt')):
        if line.strip() and not line.startswith('#'):
            words, meaning = line.rstrip('\n').split(' = ')
            unknown = [w for w in meaning.split() if w not in table.index]
            if unknown:
                raise SystemExit(f'shop-words.txt: {words}: {unknown}')
            out.update({word: meaning.split() for word in words.split(', ') if word not in table.index})
    return out


def check(table, folder):
    rng = np.random.default_rng(1)
    nouns = WordNet(f'{folder}/wordnet').senses
    picked = [
        int(i)
        for i in rng.permutation(np.arange(2500, AMONG))
        if len(table.names[i]) > 3 and nouns.get(table.names[i], [('', '')])[0][0] == 'noun'
    ]
    meanings = Meanings(table, folder, set(picked[:400]))
    picked = [i for i in picked[:400] if table.names[i] in meanings.place]
    told = meanings.of([table.names[i] for i in picked])
    chosen = [meanings.features(one, meanings.own(table.names[i])) for i, one in zip(picked, told)]
    short = unit(np.array([sum(w * meanings.rows[row] for row, w in features) for features in chosen]))
    for name, rows in (('meaning', told), ('its few words', short)):
        cosines = rows @ meanings.rows.T
        own = cosines[np.arange(len(picked)), picked]
        ranks = (cosines > own[:, None]).sum(1)
        print(f'{name}: cosine {own.mean():.3f}, median rank {np.median(ranks):.0f} of {table.words}, first hundred {(ranks < 100).mean():.2f}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lexicon', default=OUT)
    parser.add_argument('--out', default=OUT)
    parser.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    folder = os.environ['PULLQUOTE_ENGLISH']
    table = Shipped(options.model)
    if options.check:
        return check(table, folder)
    meanings = Meanings(table, folder)
    zipfs = rare_words(meanings, folder)
    lengths = np.linalg.norm(table.vectors[: table.words], axis=1)
    rows = []
    ours = told(table)
    for word, meaning in ours.items():
        zipfs[word] = max(LEAST_ZIPF, frequency(word))
        slots = [table.index[w] for w in meaning]
        length = np.linalg.norm(sum(meanings.rows[row] for row in slots))
        rows.append((word, zipfs[word], 0, [(row, LEAST_LENGTH / length / lengths[row]) for row in slots]))
    words = sorted(set(zipfs) - set(ours))
    for at in range(0, len(words), 500):
        some = words[at : at + 500]
        for word, meaning in zip(some, meanings.of(some)):
            features = meanings.features(meaning, meanings.own(word))
            length = np.linalg.norm(sum(w * meanings.rows[row] for row, w in features))
            slots = [(row, w / length * LEAST_LENGTH / lengths[row]) for row, w in features]
            rows.append((word, zipfs[word], 0, sorted(slots, key=lambda slot: -slot[1])))
    languages = {code: entries for code, entries in read(options.lexicon).items() if code != CODE}
    languages[CODE] = Written(sorted(rows))
    print(len(rows), 'rare English words')
    write(languages, {code: entries.frequency for code, entries in languages.items()}, options.out)


if __name__ == '__main__':
    main()
