"""How well a title finds its review among 300 of the same file, in the files that kept_out.py keeps out: MRR by file.

  titles.py --files embedding.bin,...   written files (those that were trained on everything know these reviews)
            --run NAME                  a table of train.py that never saw them, as it comes
            --teacher FOLDER            all-MiniLM-L6-v2
            --look                      with --files: also with the first 40 looked at again, as server/search/second-look.ts does
Repeated titles are left out. Words a model does not know count for nothing.
"""

import argparse
import collections
import glob
import random

import numpy as np

from features import WORK, Vocabulary, bags, unit
from kept_out import FILES, teaching_title
from mend import Shipped

POOL = 300
CALIBRATION, COVERAGE_WEIGHT, LEAST_NEAR = 0.706, 0.35, 0.3


def pairs():
    """Per file: titles and the beginnings of their reviews, tokens."""
    found = collections.defaultdict(list)
    for path in sorted(glob.glob(f'{WORK}/reviews.?.tsv')):
        for line in open(path):
            cells = line.rstrip('\n').split('\t')
            title = teaching_title(cells[0], cells[3])
            if cells[0] in FILES and 2 <= len(title.split()) <= 12:
                text = ' '.join(sentence.split('\x01', 1)[0] for sentence in cells[4:])
                found[cells[0]].append((title, ' '.join(text.split()[:60])))
    rng = random.Random(7)
    return {file: rng.sample(rows, POOL) for file, rows in sorted(found.items()) if len(rows) >= POOL}


def table(vocabulary, vectors, gain):
    def encode(texts, query):
        features, starts = vocabulary.encode(texts)
        weights = gain[features] if query else np.ones(len(features), np.float32)
        return unit(bags(features, starts, vectors, weights))

    return encode


def said(shipped, query, text):
    """How much of the query a text says (server/embed/builtin/word-coverage.ts), negations left out."""
    asked, told = ([shipped.index[w] for w in dict.fromkeys(t.split()) if w in shipped.index] for t in (query, text))
    weight = (shipped.gain[asked] * np.linalg.norm(shipped.vectors[asked], axis=1)) ** 1.5
    if not weight.sum() or not told:
        return 0.0
    likeness = (unit(shipped.vectors[asked]) @ unit(shipped.vectors[told]).T).max(1)
    likeness[likeness < LEAST_NEAR] = 0
    return 1 - np.sqrt((weight * (1 - likeness) ** 2).sum() / weight.sum())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--files', default='')
    parser.add_argument('--run', default='')
    parser.add_argument('--teacher', default='')
    parser.add_argument('--look', action='store_true')
    options = parser.parse_args()
    encoders, looks = {}, {}
    for path in options.files.split(',') if options.files else ():
        shipped = Shipped(path)
        encoders[path] = table(shipped, shipped.vectors, shipped.gain)
        if options.look:
            encoders[f'{path}, looked at again'] = encoders[path]
            looks[f'{path}, looked at again'] = shipped
    if options.run:
        trained = np.load(f'{WORK}/model.{options.run}.npy'), np.load(f'{WORK}/gain.{options.run}.npy')
        encoders[options.run] = table(Vocabulary(36000), *trained)
    if options.teacher:
        from teacher import Teacher

        teacher = Teacher(options.teacher, WORK)
        encoders['all-MiniLM-L6-v2'] = lambda texts, query: teacher(texts)
    sets = pairs()
    print(*sets, 'mean', sep=' | ')
    for name, encode in encoders.items():
        figures = []
        for rows in sets.values():
            cosines = encode([title for title, _ in rows], True) @ encode([text for _, text in rows], False).T
            if name in looks:
                for place, (title, _) in enumerate(rows):
                    for text in np.argsort(-cosines[place])[:40]:
                        # cosines of the product are (c + k) / (1 + k)
                        more = COVERAGE_WEIGHT * (1 + CALIBRATION) * said(looks[name], title, rows[text][1])
                        cosines[place, text] += more
            figures.append((1 / (1 + (cosines > np.diag(cosines)[:, None]).sum(1))).mean())
        print(name, *(f'{figure:.3f}' for figure in [*figures, np.mean(figures)]), sep=' | ', flush=True)


if __name__ == '__main__':
    main()
