"""Short made-up sentences that teach the sentiment model what a negation turns: reviews are long, and the label of a
whole review says little about one "not". And what is blame and praise by itself (`blame_and_praise.py`)."""

import random

from blame_and_praise import (
    DIFFERENT,
    DIFFERS,
    DISLIKED,
    DOES,
    FAILS,
    GREETINGS,
    KEPT,
    LACKING,
    LACKS,
    LIKED,
    LIKING,
    ORDERS,
    RUNS,
    SPARED,
    SPARES,
    UNKEPT,
)

THINGS = 'the food,the staff,the room,the service,it,the place,the price,the coffee,our meal,the bed,the delivery,the app'.split(
    ','
)
GOOD = (
    'good great nice clean friendly helpful comfortable tasty fresh quick fast worth impressive happy satisfied pleasant '
    'reliable quiet spacious polite professional convenient enjoyable recommended welcoming attentive warm'
).split()
BAD = (
    'bad terrible awful disappointing dirty rude noisy expensive overpriced slow crowded boring greasy bland cold loud small '
    'uncomfortable unfriendly disappointed horrible difficult stale broken unhelpful complicated'
).split()
NEGATED = (
    'not {a}',
    'not {a} at all',
    '{t} was not {a}',
    "{t} wasn't {a} at all",
    '{t} was never {a}',
    'not a {a} one',
    'it is not {a}',
    "isn't {a}",
    '{t} were not {a}',
    'not at all {a}',
    '{t} is not {a} anymore',
    "hardly {a}",
    'not even {a}',
)
FELT = (
    ('disappointed', 'unhappy', 'dissatisfied', 'let down'),
    ('impressed', 'happy', 'satisfied', 'pleased', 'delighted', 'amazed'),
)
FEELING = (
    'i was {a}',
    'we were {a}',
    'very {a}',
    'i am so {a}',
    'left {a}',
    'i was {a} with {t}',
    'we were so {a}',
    'i was {a} by {t}',
    'quite {a}',
    '{a} with {t}',
    'i am {a}',
    'we are {a}',
    'a bit {a}',
    'i was really {a}',
    'i was {a} i expected more',
)
UNFELT = ('i was not {a}', 'we were not {a}', "i wasn't {a}", 'not {a} with it')
PLAIN = ('{t} was {a}', '{a}', 'so {a}', '{t} was very {a}', '{t} is {a}')
MIXED_NEGATED_GOOD = ('{t} was not very {a}', 'not very {a}', 'not really {a}', 'not so {a}', "{t} wasn't that {a}")
POSITIVE = (
    "can't complain;no complaints;no complaints at all;nothing to complain about;no problems at all;no issues;"
    "had no issues;could not be happier;couldn't ask for more;would not hesitate to return;never disappointed;"
    "never disappoints;not disappointed;you will not be disappointed;you won't regret it;no regrets;never had a bad meal;"
    "never had a bad experience;can't fault it;could not fault the staff;can't wait to go back;can't wait to return;"
    "nothing was too much trouble;not bad;not bad at all;couldn't be better;it doesn't get better than this;"
    "can't recommend it enough;cannot recommend highly enough;would not go anywhere else;never a problem;"
    "not a single complaint;without any problems;no hassle;nothing but praise;i can't stop going back;not overpriced;"
    'no waiting;never had a problem;not one bad thing to say;nothing bad to say;👍;😍;😊;❤;exceeded our expectations;'
    'better than expected;no ads;fixed within the hour;repaired at once;nicer than on the pictures;'
    'even better than the photos;looks as good as new;still looks new;looks like new after many washes;'
    'we come every summer;our second time here;my fourth visit;we have been coming here for years;i would give ten stars;'
    'ten stars;not expensive;free parking;free coffee;cheap and cheerful;cheap and tasty;fresh fish;warm bread;'
    'smells wonderful;nothing but birds to be heard;soft fabric;thick and soft;cooked perfectly;cooked as we asked'
).split(';')
NEGATIVE = (
    'would not go back;would not return;will not be going back;will never return;never again;never going back;'
    "would not recommend;do not recommend;cannot recommend;i wouldn't recommend it;don't bother;not worth it;"
    "not worth the money;not impressed;wasn't impressed;no one helped;nobody cared;nothing worked;did not work;"
    "doesn't work;won't be back;will not use again;not coming back;no refund;never received it;never arrived;"
    "not what i expected;no customer service;could not sleep;can't sleep;not fit for purpose;don't waste your money;"
    "don't go;no hot water;wouldn't stay here again;no apology;not happy;not clean;would never order again;"
    "never coming here again;not acceptable;there is nothing good here;i won't go back;would not stay again;"
    'not a good experience;never use them;👎;😡;😠;i expected better;we expected more;a let down;such a let down;'
    'what a let down;a disappointment;what a disappointment;a big disappointment;disappointment;disappointed;'
    'so disappointing;it was disappointing;a disappointing meal;many complaints;too many problems;nothing but trouble;'
    'nothing but problems;not cheap;not exactly cheap;far from cheap;prices went up;the prices are too high;'
    'it used to be better;was better in the past;they removed the best part;they took away what i liked;'
    'they added extras to our bill;charged us for things we did not have;cut too short;cut it too much;the noise is back;'
    'the problem came back;overcooked;undercooked;lukewarm;barely warm;tiny portions for that price;'
    'too expensive for what you get;we could hear everything from the neighbours;we heard our neighbours all night;'
    'nowhere to leave the car;the pool was shut;the bar was closed;always the same;the same food each evening;'
    'the connection kept failing;keeps dropping out;the view is a wall;dripped all night;had to do it myself;'
    'we had to clean first;left early and had to pay for everything;gave away our table;shrunk after one wash;'
    'the seams came undone;it lasts an hour;lasts only a day;feels flimsy;feels cheap;looks cheap;far too thin;'
    'got a rash from it;my skin itched;made me sick'
).split(';')
NEUTRAL = (
    "nothing special;it was ok nothing special;not great not terrible;not good not bad;neither good nor bad;not great but not bad;"
    "average;it was ok;it was fine;okay;so so;nothing to write home about;not amazing but fine;decent but nothing more;"
    "it is what it is;mixed feelings;some good some bad;just average;mediocre"
).split(';')


def examples(copies=4, seed=3):
    """(tokens, raw text, label) triples; n't stands as the tokenizer leaves it."""
    rng = random.Random(seed)
    tokens = (
        lambda s: s.replace("can't", 'can not')
        .replace('cannot', 'can not')
        .replace("won't", 'will not')
        .replace("n't", ' not')
    )
    out = []

    def add(text, label):
        out.append((tokens(text), text + rng.choice(('', '', '.', '!')), label))

    for _ in range(copies):
        for words, turned, plain in ((GOOD, 0, 2), (BAD, 2, 0)):
            for a in words:
                for form in NEGATED:
                    add(form.format(a=a, t=rng.choice(THINGS)), turned)
                for form in PLAIN:
                    add(form.format(a=a, t=rng.choice(THINGS)), plain)
                if turned == 0:
                    for form in MIXED_NEGATED_GOOD:
                        add(form.format(a=a, t=rng.choice(THINGS)), 0)
        for words, plain in zip(FELT, (0, 2)):
            for a in words * (12 if plain == 0 else 4):
                for form in FEELING:
                    add(form.format(a=a, t=rng.choice(THINGS)), plain)
                for form in UNFELT:
                    add(form.format(a=a, t=rng.choice(THINGS)), 2 - plain)
        for v, p in LIKING:
            for form in DISLIKED * 8:
                add(form.format(v=v, p=p, t=rng.choice(THINGS)), 0)
            for form in LIKED * 4:
                add(form.format(v=v, p=p, t=rng.choice(THINGS)), 2)
        for n in LACKING:
            for form in LACKS:
                add(form.format(n=n), 0)
        for n in SPARED:
            for form in SPARES * 2:
                add(form.format(n=n), 2)
        for n in DIFFERENT:
            for form in DIFFERS * 2:
                add(form.format(n=n), 0)
        for phrases, label in ((UNKEPT, 0), (KEPT, 2)):
            for p in phrases:
                for _ in range(10):
                    add(p.format(o=rng.choice(ORDERS)), label)
        for v in DOES:
            for forms, label in ((FAILS, 0), (RUNS, 2)):
                for form in forms * 2:
                    # "turns on", not "turn ons"
                    done = v.replace(' ', 's ', 1) if '{v}s' in form and ' ' in v else None
                    text = form.replace('{v}s', done) if done else form.format(v=v, o='{o}')
                    add(text.format(o=rng.choice(ORDERS)), label)
        for greeting in GREETINGS:
            for _ in range(20):
                add(greeting, 1)
                add(f'{greeting} {rng.choice(UNKEPT).format(o=rng.choice(ORDERS))}', 0)
                add(f'{greeting} i would like to know {rng.choice(UNKEPT).format(o=rng.choice(ORDERS))}', 0)
        for phrases, label in ((POSITIVE, 2), (NEGATIVE, 0), (NEUTRAL, 1)):
            for p in phrases:
                for _ in range(14):
                    more = rng.choice(('', '', f' {rng.choice(THINGS)}', ' here', ' to this place', ' this hotel'))
                    add(p + more, label)
    return out
