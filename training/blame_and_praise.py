"""What people like and do not like, and what shops, services and things are blamed and praised for: short forms, of which reviews of
hotels and restaurants teach the sentiment model little. `negation.py` makes sentences of them."""

LIKING = (('like', 'liked'), ('enjoy', 'enjoyed'), ('love', 'loved'), ('appreciate', 'appreciated'), ('care for', 'cared for'))
DISLIKED = (
    'i did not {v} {t}',
    "i didn't {v} {t}",
    "we didn't {v} {t}",
    'did not {v} {t} at all',
    "i don't {v} {t}",
    'they did not {v} {t}',
    'nobody in our group {p} {t}',
    'i have not {p} {t}',
    'we have not {p} it',
    'not {p} by any of us',
    '{t} is not {p}',
)
LIKED = ('i {v} {t}', 'we really {p} {t}', '{p} {t}', 'you will {v} {t}', 'we have {p} {t}', '{p} by all of us')
# What shops are blamed for and praised for: orders, deliveries and answers, of which reviews of hotels and restaurants teach little.
ORDERS = 'my order,our order,the parcel,the package,the item,the delivery,it,my purchase'.split(',')
UNKEPT = (
    '{o} arrived late;{o} came too late;{o} was delivered late;{o} was late;{o} is late;late delivery;{o} was a week late;'
    'still waiting for {o};i am still waiting;{o} has not arrived;{o} never came;{o} was not delivered;'
    'i have not received {o};did not receive {o};still have not received {o};where is {o};there is no sign of {o};'
    'no answer;no reply;they do not answer;nobody answers;i got no answer;without an answer;without any reply;'
    'no response from the seller;{o} is the wrong one;the wrong item;they sent the wrong one;sent me the wrong size;'
    '{o} is wrong;wrong colour;{o} stopped working;stopped functioning;{o} is different from the description;'
    'different from what was advertised;different from the photo;not as described;not as shown;not as advertised;'
    '{o} was incomplete;parts missing;{o} came without the manual;something is missing;i received only one;'
    'i ordered two and got one;{o} was damaged;{o} arrived damaged;{o} arrived broken;{o} is defective;'
    'i want my money back;i want a refund;i asked for my money back;i am waiting for my refund;i had to cancel {o};'
    'i want to cancel {o};they cancelled {o};i want to return {o};i have to return it;i had to complain;i complained;'
    'i made a complaint;complaint;{o} does not fit;{o} does not close;{o} stopped after a month;{o} broke after a week;'
    'i was deceived;i was cheated;i feel scammed;it is a fraud;they charged me twice;past the deadline;'
    'after the promised date;the deadline was not met;i would like to know when {o} arrives;i would like to receive {o};'
    'i want to know where {o} is;i would like an answer;{o} came without the charger'
).split(';')
KEPT = (
    '{o} arrived early;{o} came on time;{o} was on time;{o} arrived before the promised date;ahead of schedule;'
    'within the deadline;{o} arrived before the deadline;on time;fast delivery;{o} was well packed;{o} arrived safely;'
    'exactly as described;as shown;as advertised;just like the photo;{o} was complete;nothing was missing;'
    'they answered at once;they answered all questions;quick answer;the refund came at once;they replaced it at once;'
    'they solved my problem;they took it back without questions;late check out was free;we were given a late check out;'
    'open late;they stay open late;worth the wait;{o} fits;{o} fits perfectly;something different;'
    'different from all others and better;i received {o};no delay;no complaint;{o} was delivered early;'
    '{o} was delivered on time;{o} was delivered within the deadline;{o} was delivered as agreed;'
    '{o} was delivered before the date;i would order again;i will order more;i ordered two and love both'
).split(';')
LACKING = 'invoice,receipt,instructions,manual,charger,cable,lid,screws,batteries,box,packaging,key,adapter,tracking number'.split(',')
LACKS = ('delivered without {n}', 'came without {n}', 'arrived without {n}', 'without {n}', '{n} missing', 'the {n} was missing')
SPARED = 'problems,delay,hassle,waiting,trouble,damage,fuss,queues,stress,complications'.split(',')
SPARES = ('delivered without {n}', 'without {n}', 'without any {n}', 'it all went without {n}')
DIFFERENT = 'colour,color,size,model,material,shape,taste,product'.split(',')
DIFFERS = ('the {n} is different', 'the {n} was different from the photo', 'a different {n}', 'the {n} does not match the picture')
DOES = 'charge,turn on,open,close,stick,hold,last,fit,connect,start,heat,print,dry,move'.split(',')
FAILS = ('it does not {v}', "it doesn't {v}", "{o} won't {v}", 'does not {v} any more')
RUNS = ('it {v}s well', '{o} {v}s as it should', '{v}s fast', 'it does {v}')
GREETINGS = ('good morning', 'good afternoon', 'good evening', 'good day', 'hello', 'hi')
