"""Makes training pairs out of the reviews: `a<TAB>b<TAB>hard negative<TAB>label`, tokens separated by spaces.

  title    a review's title with its text, and with the sentence that shares most of its words
  next     neighbouring sentences of one review
  cloze    a few words of a sentence with the rest of it
  opinion  two sentences about the same thing in the same tone; hard negative: in the opposite tone
  phrase   "friendly staff" with sentences that say so; hard negative: the staff in the opposite tone
  opposite "quiet room" with sentences that say so; hard negative: one that says "loud" of it. Questions go with both
  hollow   a thing by its name with a sentence that tells about it; hard negative: a title that is only the rating in words
  question questions and requests by template about a thing (and what it is like) with sentences that say how it is; hard
           negative: a sentence that only names it

What is a thing and what describes it is learned from the reviews themselves ("the X was", "very Y"); the tone of a
sentence is the sentiment model's where it is sure, and the stars where they do not contradict.
"""

import collections
import glob
import itertools
import random
import sys
import time

import numpy as np

import sentiment
from features import NEGATORS, WORK
from kept_out import FILES, teaching_title

RANDOM = random.Random(11)
NEGATIVES = set(NEGATORS)
STOP = set(
    "the a an and or of to in on at for with is was are were be been it its this that these those i we you he she they "
    "my our your his her their me us him them as by from but if so do did does have has had not no very will would can "
    "could there here what which who when how all just also than then too am really much more most some any again".split()
)
VAGUE = set(
    "one two three lot lots time times day days way thing things bit people person place places night nights year years "
    "minute minutes hour hours week weeks month months everything nothing anything something experience rest reason fact "
    "only first second last next same best worst other others whole part side kind type end point number review reviews "
    "hotel hotels restaurant restaurants stay trip visit problem problems issue issues idea case name world guy guys man "
    "woman girl lady wife husband friend friends family he she it they we you i this that all some most any none us them "
    "book movie film story show game app company business store shop product item order car company guest guests customer "
    "little right few while must own least top main return plus couple needs special inside outside favorite front line call "
    "customers airline flight city town area street experience".split()
)
DETERMINER = set("the our a an their my this your its his her".split())
BE = set("was were is are".split())
SURE = (0.8, 0.957)  # from where on the sentiment model is believed: 6 % of sentences blame, 21 % praise
# Words for one side of a scale and for the other. The company they keep is the same, so skip-gram takes them for each other.
SCALES = [
    tuple(set(side.split()) for side in line.split('|'))
    for line in (
        'huge enormous massive gigantic|tiny minuscule small little',
        'big large spacious roomy huge|small tiny cramped little poky',
        'generous hearty substantial|small tiny measly skimpy',
        'quiet peaceful silent calm soundproof|loud noisy rowdy thin',
        'cheap inexpensive affordable reasonable bargain|expensive overpriced pricey costly steep dear extortionate',
        'free complimentary included gratis|charged charge fee fees paid pay paying expensive extra surcharge',
        'hot warm boiling heated|cold cool lukewarm freezing icy',
        'warm cosy heated|cold freezing chilly draughty drafty',
        'fast quick speedy prompt swift|slow sluggish delayed late',
        'clean spotless immaculate|dirty filthy grubby stained',
        'soft comfy comfortable|hard uncomfortable lumpy rock',
        'fresh|stale old mouldy moldy rotten',
        'new modern renovated|old dated outdated tired shabby worn',
        'bright light sunny airy|dark dim gloomy dingy',
        'early|late',
        'close near nearby convenient|far remote inconvenient',
        'busy crowded packed|empty deserted quiet',
        'friendly polite kind welcoming|rude unfriendly impolite cold surly',
        'heavy|light lightweight',
        'strong powerful|weak feeble',
        'thick|thin',
        'wide|narrow',
        'long|short',
        'sweet|bitter sour',
        'spicy hot|mild bland',
        'tender juicy|tough dry chewy',
        'crispy crisp crunchy|soggy limp',
        'easy simple|difficult hard complicated',
    )
]
ASK_SIDE = ('{a} {n}', '{a} {n}', '{n} {a}', 'the {n} was {a}', '{n} is {a}', '{a}', '{a} {n} please')
DEGREE = set("very so really extremely super pretty quite too incredibly absolutely".split())

ASK_ABOUT = (
    'how is the {n}',
    'how are the {n}',
    'how was the {n}',
    'what is the {n} like',
    'what are the {n} like',
    'what do people say about the {n}',
    'what do guests think of the {n}',
    'are there complaints about the {n}',
    'do guests like the {n}',
    'do customers like the {n}',
    'is there {n}',
    'is there a {n}',
    'are there {n}',
    'do they have {n}',
    'do they have a {n}',
    'does it have {n}',
    'do they offer {n}',
    'do they serve {n}',
    'is there any {n} available',
    'do you know if there is {n}',
    'what about the {n}',
    'any problems with the {n}',
    'how about the {n}',
    'tell me about the {n}',
    'can you tell me about the {n}',
    'is the {n} any good',
    'what can you tell me about their {n}',
    'did anyone mention the {n}',
    'is the {n} nice',
    'are the {n} good',
    'how would you rate the {n}',
    'what is the quality of the {n}',
    'i want to know about the {n}',
    'does the place have {n}',
    'does {e} have {n}',
    'how is the {n} at {e}',
    'does {e} offer {n}',
    'is the {n} at {e} good',
    'does {e} serve {n}',
    'are the {n} good at {e}',
    'what do people think of the {n} at {e}',
    'does the hotel have {n}',
    'which one has {n}',
    'which place has the best {n}',
    'do you know about the {n} there',
    'are there any reviews about the {n}',
    'can i get {n} there',
    'i would like {n} do they have that',
    'what kind of {n} do they have',
    'is it a good place for {n}',
    'what do the reviews say about {n}',
    'do people recommend the {n}',
    'is {n} included',
    'is the {n} worth it',
    'does the restaurant serve {n}',
    'is the {n} good at the hotel',
    'is the {n} good at the restaurant',
    '{n}',
    '{n}',
    '{n}',
)
ASK_WHETHER = (
    'is the {n} {a}',
    'are the {n} {a}',
    'is their {n} {a}',
    'does it have {a} {n}',
    'do they have {a} {n}',
    'can you tell me if the {n} is {a}',
    'could you confirm if the {n} is {a} there',
    'do customers find the {n} {a}',
    'did guests think the {n} was {a}',
    'i want a place with {a} {n}',
    'i would like {a} {n}',
    'i am looking for {a} {n}',
    'i need {a} {n} is that possible',
    'was the {n} {a}',
    'i wonder if the {n} is {a}',
    'do you know if the {n} is {a}',
    'do people say the {n} is {a}',
    'does {e} have {a} {n}',
    'is the {n} at {e} {a}',
    'are the {n} {a} at {e}',
    'which one of them has {a} {n}',
    'i want to make sure the {n} is {a}',
    'do the rooms have {a} {n}',
    'is it a place with {a} {n}',
    'can i get {a} {n}',
    'do you happen to know if the {n} is {a}',
    'can they guarantee {a} {n}',
    'find out if the {n} is {a} please',
    'is there {a} {n}',
    'are there {a} {n}',
    'is {e} known for {a} {n}',
    'what about {a} {n} at {e}',
    'i prefer {a} {n}',
    'do the reviews mention {a} {n}',
    'do they have a {a} {n}',
    'is there a {a} {n}',
    'a {a} {n} is important to me',
    'could you confirm that {e} has {a} {n}',
    'how {a} is the {n}',
    'how {a} are the {n} at {e}',
    'would you say the {n} is {a}',
    'does the hotel have {a} {n}',
    'does the restaurant have {a} {n}',
    'is it known for {a} {n}',
    'anywhere with {a} {n}',
    '{a} {n}',
    '{a} {n}',
    '{a} {n}',
    '{n} {a}',
    'the {n} was {a}',
    '{a} {n} please',
)


def lexicon(sentences):
    """Words that stand where things stand, and words that stand where qualities stand."""
    count, thing, quality, determined = (collections.Counter() for _ in range(4))
    for sentence in sentences:
        words = sentence.split()
        count.update(words)
        for at in range(len(words)):
            if at and words[at - 1] in DETERMINER:
                determined[words[at]] += 1
                if at + 1 < len(words) and words[at + 1] in BE:
                    thing[words[at]] += 1
            if (
                at
                and words[at - 1] in DEGREE
                or at > 1
                and words[at - 1] in BE
                and (at + 1 == len(words) or words[at + 1] in ('and', 'but', 'with', 'to'))
            ):
                quality[words[at]] += 1
    nouns = {
        words
        for words, times in thing.items()
        if times >= 4
        and determined[words] / count[words] > 0.13
        and words.isalpha()
        and len(words) > 2
        and quality[words] / count[words] < 0.12
    }
    adjectives = {
        words
        for words, times in quality.items()
        if times >= 25 and times / count[words] > 0.08 and words.isalpha() and len(words) > 2 and words not in nouns
    }
    nouns -= VAGUE | STOP
    adjectives -= (
        STOP | VAGUE | DEGREE | set('out back up there going getting over off made done told given able sure'.split())
    )
    return nouns, adjectives, count


def tones(lines):
    """The shipped sentiment model's verdict on each sentence: +1, -1 or 0 when unsure."""
    model = sentiment.read(sentiment.OUT)
    words, out, step = sentiment.Words(), np.zeros(len(lines), np.int8), 200_000
    for start in range(0, len(lines), step):
        logits = sentiment.logits(*words.features(lines[start : start + step]), *model)
        probability = np.exp(logits - logits.max(1, keepdims=True))
        probability /= probability.sum(1, keepdims=True)
        out[start : start + step] = np.where(
            probability[:, 2] > SURE[1], 1, np.where(probability[:, 0] > SURE[0], -1, 0)
        )
    return out


def save(name, rows):
    rows = [row for row in rows if row[0] and row[1] and row[0] != row[1]]
    RANDOM.shuffle(rows)
    with open(f'{WORK}/pairs.{name}.tsv', 'w') as file:
        for row in rows:
            file.write('\t'.join((*row, *[''] * (4 - len(row)))) + '\n')
    print(name, len(rows), RANDOM.sample(rows, 3), flush=True)


SIDE = {}  # word -> the (scale, side) pairs that it stands for
for number, scale in enumerate(SCALES):
    for side in (0, 1):
        for word in scale[side]:
            SIDE.setdefault(word, []).append((number, side))
FREE = next(i for i, scale in enumerate(SCALES) if 'free' in scale[0])


def sides(by_noun):
    """Per thing and scale the sentences that stand on either side of it: (thing, ((word, sentence, thing), ...) twice)."""
    for noun, said in by_noun.items():
        found = collections.defaultdict(lambda: ([], []))
        for sentence, like, thing, _ in said:
            quality = like.removeprefix('not ')
            # money is seldom an adjective: "they charge for the wifi"
            if quality not in SIDE and noun not in ('food', 'price'):
                words = sentence.split()
                if 'free' not in words and any((FREE, 1) in SIDE.get(word, ()) for word in words):
                    found[FREE][1].append(('', sentence, thing))
                continue
            if quality not in SIDE:
                continue
            words = set(sentence.split())
            for number, side in SIDE[quality]:
                if like != quality:
                    # "not quiet" is the other side; "not huge" need not be tiny, but it is no answer to "huge"
                    found[number][1 - side].append(('', sentence, thing))
                elif not words & SCALES[number][1 - side] and not NEGATIVES & words:
                    found[number][side].append((quality, sentence, thing))
        for both in found.values():
            if min(len(side) for side in both) >= 2:
                yield noun, both


def money(sentences, nouns, near=4):
    """What is free and what is not stands by no adjective: (thing, ((word, sentence, thing), ...) twice) all the same."""
    found = collections.defaultdict(lambda: ([], []))
    free, paid = SCALES[FREE]
    for sentence in sentences:
        words = sentence.split()
        if not set(words) & (free | paid) or len(words) > 26:
            continue
        for at, noun in enumerate(words):
            if noun not in nouns or noun in free | paid:
                continue
            around = words[max(0, at - near) : at + near + 1]
            told = [word for word in around if word in free]
            if told and not NEGATIVES & set(words) and not paid & set(words):
                found[noun][0].append((told[0], sentence, noun))
            elif told and NEGATIVES & set(around) or not told and paid & set(around):
                found[noun][1].append(('', sentence, noun))
    for noun, both in found.items():
        if min(len(side) for side in both) >= 5 and len(both[0]) >= 12:
            yield noun, both


def opposites(pairs_of_sides, most=400):
    """(thing, sides) -> pairs. A few words ask for one side: the other is the hard negative. A question is answered by both."""
    out = []
    for noun, found in pairs_of_sides:
        for side in (0, 1):
            told = [item for item in found[side] if item[0]]
            for quality, sentence, thing in RANDOM.sample(told, min(len(told), int(20 + 4 * len(told) ** 0.5), most)):
                alike = [item[1] for item in RANDOM.sample(told, min(6, len(told))) if item[0] == quality] or [sentence]
                other = RANDOM.choice(found[1 - side])[1]
                out.append(
                    (
                        RANDOM.choice(ASK_SIDE).format(a=quality, n=thing),
                        RANDOM.choice(alike + [sentence]),
                        other,
                        f'{noun}|{quality}',
                    )
                )
                if RANDOM.random() < 0.25:
                    out.append(
                        (
                            RANDOM.choice(ASK_WHETHER[:12]).format(a=quality, n=thing, e='it'),
                            other,
                            '',
                            f'{noun}|{quality}',
                        )
                    )
    return out if len(out) < 400_000 else RANDOM.sample(out, 400_000)


def hollow(nouns, most=90_000):
    """A thing by its name, a sentence that tells about it, and the title that stood over it and only rates: hard negative."""
    by_noun = collections.defaultdict(list)
    for path in sorted(glob.glob(f'{WORK}/reviews.?.tsv')):
        for line in open(path):
            cells = line.rstrip('\n').split('\t')
            if cells[0] in FILES or not cells[3] or teaching_title(cells[0], cells[3]) or len(cells[3].split()) > 4:
                continue
            for sentence in cells[4:]:
                words = sentence.split('\x01', 1)[0].split()
                if 3 <= len(words) <= 30:
                    for noun in set(words) & nouns:
                        by_noun[noun].append((noun, ' '.join(words), cells[3], noun))
    out = [
        row for rows in by_noun.values() for row in RANDOM.sample(rows, min(len(rows), int(20 + 12 * len(rows) ** 0.5)))
    ]
    return RANDOM.sample(out, min(len(out), most))


def main():
    t0 = time.time()
    title, nxt, cloze, places = [], [], [], []
    lines, stars = [], []
    for path in sorted(glob.glob(f'{WORK}/reviews.?.tsv')):
        for line in open(path):
            p = line.rstrip('\n').split('\t')
            if p[0] in FILES:
                continue
            p[3] = teaching_title(p[0], p[3])
            pieces = [s.split('\x01', 1) for s in p[4:]]
            S = [t for t, _ in pieces]
            if p[2] and RANDOM.random() < 0.2 and 1 <= len(p[2].split()) <= 5:
                places.append(p[2].lower())
            heading = p[3].split()
            if 2 <= len(heading) <= 14:
                title.append((p[3], ' '.join(' '.join(S).split()[:70])))
                content = set(heading) - STOP
                if content:
                    best = max(S, key=lambda s: len(content & set(s.split())) / (5 + len(s.split())))
                    if content & set(best.split()) and len(best.split()) > 4:
                        title.append((p[3], best))
            for t, r in pieces:
                if 3 <= t.count(' ') + 1 <= 30 and (RANDOM.random() < 0.85):
                    lines.append((t, r))
                    stars.append(float(p[1]))
            mid = [s for s in S if 4 <= s.count(' ') + 1 <= 30]
            if RANDOM.random() < 0.35 and mid:
                if len(mid) >= 2:
                    i = RANDOM.randrange(len(mid) - 1)
                    nxt.append((mid[i], mid[i + 1]))
                w = RANDOM.choice(mid).split()
                content = [i for i, x in enumerate(w) if x not in STOP and len(x) > 2]
                if len(content) >= 3:
                    i = RANDOM.choice(content[:-1])
                    take = [x for x in w[i : i + 5] if x not in STOP or x in NEGATIVES][: RANDOM.choice((2, 3, 4))]
                    if len(take) >= 2:
                        cloze.append((' '.join(take), ' '.join(x for x in w if x not in take or RANDOM.random() < 0.5)))
    print('sentences', len(lines), round(time.time() - t0), flush=True)
    save('title', title)
    save('next', RANDOM.sample(nxt, min(len(nxt), 250_000)))
    save('cloze', RANDOM.sample(cloze, min(len(cloze), 250_000)))
    nouns, adjectives, count = lexicon(t for t, _ in lines)
    show = lambda s: sorted(s, key=lambda w: -count[w])
    print(
        len(nouns),
        show(nouns)[:150],
        '\n',
        len(adjectives),
        show(adjectives)[:150],
        round(time.time() - t0),
        flush=True,
    )
    tone = tones(lines)
    print('tones', collections.Counter(tone.tolist()), round(time.time() - t0), flush=True)
    compounds = {
        w
        for w in open(f'{WORK}/names.txt').read().split('\n')
        if '_' in w and w.split('_')[1] in nouns and w.split('_')[0] not in adjectives | STOP | NEGATIVES
    }
    print(len(compounds), RANDOM.sample(sorted(compounds), 30))
    single = lambda n: n[:-1] if n.endswith('s') and n[:-1] in nouns else n
    by_tone, by_noun = collections.defaultdict(list), collections.defaultdict(list)
    for (s, _), st, to in zip(lines, stars, tone):
        w = s.split()
        if len(w) > 26:
            continue
        sure = to if (to > 0 and not 0 < st <= 2) or (to < 0 and not abs(st) == 5) else 0
        for i, x in enumerate(w):
            if x in nouns:
                compound = f'{w[i - 1]} {x}' if i and f'{w[i - 1]}_{x}' in compounds else ''
                near = [(abs(i - j), j) for j in range(max(0, i - 4), min(len(w), i + 5)) if w[j] in adjectives]
                like = ''
                if near:
                    j = min(near)[1]
                    like = ('not ' if NEGATIVES & set(w[max(0, j - 2) : j]) else '') + w[j]
                by_noun[single(x)].append((s, like, compound or x, bool(like) or to != 0))
                if sure and len(w) <= 22:
                    by_tone[single(x), int(sure)].append((s, like, x))
    print('things', len(by_noun), round(time.time() - t0), flush=True)
    opinion, phrase = [], []
    for (n, p), L in by_tone.items():
        M = by_tone.get((n, -p), [])
        if len(L) < 30 or len(M) < 20:
            continue
        size = min(2500, len(L))
        for a, _, _ in RANDOM.sample(L, size):
            b, c = RANDOM.choice(L)[0], RANDOM.choice(M)[0]
            opinion.append((a, b, c, n))
        like = collections.defaultdict(list)
        for item in L:
            if item[1]:
                like[item[1]].append(item)
        said = [item for item in L if item[1]]
        for s, a, x in RANDOM.sample(said, min(size, len(said))):
            other = [m for m in RANDOM.sample(M, min(4, len(M))) if m[1] != a] or M
            phrase.append(
                (
                    f'{a} {x}',
                    RANDOM.choice(like[a])[0] if RANDOM.random() < 0.7 else s,
                    RANDOM.choice(other)[0],
                    f'{n}|{a}',
                )
            )
    save('opinion', opinion if len(opinion) < 600_000 else RANDOM.sample(opinion, 600_000))
    save('phrase', phrase if len(phrase) < 600_000 else RANDOM.sample(phrase, 600_000))
    question = []
    for n, L in by_noun.items():
        if len(L) < 10:
            continue
        told, named = [item for item in L if item[3]], [item for item in L if not item[3]]
        if len(told) < 5:
            continue
        for s, a, x, _ in RANDOM.sample(told, min(len(told), int(40 + 8 * len(told) ** 0.5), 900)):
            t, _, y, _ = RANDOM.choice(told) if RANDOM.random() < 0.35 else (s, a, x, True)
            e = RANDOM.choice(places)
            if a and RANDOM.random() < 0.6:
                q = RANDOM.choice(ASK_WHETHER).format(n=x, a=a, e=e)
                t = s if RANDOM.random() < 0.7 else t
            else:
                q = RANDOM.choice(ASK_ABOUT).format(n=x, e=e)
            # a sentence that only names the thing is a worse answer than one that says how it was
            question.append((q, t, RANDOM.choice(named)[0] if named and RANDOM.random() < 0.7 else '', n))
    save('opposite', opposites(itertools.chain(sides(by_noun), money((t for t, _ in lines), nouns))))
    save('question', question if len(question) < 700_000 else RANDOM.sample(question, 700_000))
    save('hollow', hollow(nouns))
    print('done', round(time.time() - t0), file=sys.stderr)


if __name__ == '__main__':
    main()
