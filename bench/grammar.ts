/** Word lists and templates for `corpus.ts`. Lists are ordered from the most to the least frequent. */
export interface Grammar {
  language: string
  words: Record<string, readonly string[]>
  praise: readonly string[]
  complaint: readonly string[]
  neutral: readonly string[]
}

const list = (text: string): string[] => text.split(',').map((word) => word.trim())

const ENGLISH: Grammar = {
  language: 'en',
  words: {
    thing: list(
      'room, breakfast, staff, pool, bed, bathroom, restaurant, location, view, coffee, dinner, shower, lobby, parking, terrace, garden, balcony, wifi, reception, lunch, sauna, gym, bar, kitchen, spa, elevator, playground, beach, towel, pillow, mattress, air conditioning, heating, minibar, menu, dessert, soup, pasta, steak, salad, wine list, bread, cake, service desk, delivery, packaging, box, battery, charger, jacket, shoes, fabric, zipper, website, checkout, invoice, refund, warranty, haircut, massage, treatment, appointment, dentist, mechanic, tyres, engine, repair, workshop, guide, tour, boat, bicycle, museum, ticket, audio guide, cloakroom, library, classroom, teacher, lesson, yoga mat, trainer, locker, climbing wall, puppy course, vet, grooming, garden chair, lawn mower, bouquet, wedding cake, photo album, frame, printer, keyboard, monitor, headphones',
    ),
    good: list(
      'great, clean, friendly, quiet, comfortable, delicious, spacious, fresh, modern, cosy, helpful, warm, bright, tasty, generous, fast, cheap, beautiful, elegant, charming, stylish, spotless, soft, peaceful, reliable, sturdy, crisp, attentive, patient, punctual, inventive, fragrant, silky, unhurried',
    ),
    bad: list(
      'dirty, noisy, cold, slow, small, expensive, rude, broken, stale, crowded, dark, smelly, tired, old, bland, greasy, overpriced, loud, dusty, damp, careless, late, flimsy, leaking, mouldy, scratched, indifferent, burnt, soggy',
    ),
    who: list(
      'the receptionist, our waiter, the owner, the chef, the cleaning lady, the manager, the barista, the driver, a young man at the desk, the technician, the night porter, our guide, the shop assistant, the doctor, the trainer, the lady on the phone',
    ),
    company: list(
      'my wife, our kids, my husband, two friends, our dog, my parents, a large group, my mother, a toddler, colleagues, the whole family, my grandmother, a baby, the football team',
    ),
    occasion: list(
      'a weekend, our anniversary, a birthday, a business trip, the holidays, a wedding, a conference, a city break, a hiking trip, a romantic getaway, Christmas, a concert, graduation, a reunion',
    ),
    place: list(
      'the station, the city centre, the beach, the lake, the old town, the airport, the park, the harbour, the trade fair, the ski lift, the hospital, the stadium, the castle, the market square, the motorway',
    ),
    dish: list(
      'pancakes, eggs, croissants, fish soup, risotto, burger, tiramisu, lamb, dumplings, curry, ramen, tapas, schnitzel, ceviche, mushroom ravioli, cheesecake, oysters, falafel, lentil stew, rhubarb tart',
    ),
    time: list(
      'at night, in the morning, on Sunday, after midnight, in the evening, at noon, during the week, in August, in winter, around seven',
    ),
    did: list(
      'helped us with the luggage, brought an extra blanket, gave us tips for the evening, changed our table, found a parking space, printed our tickets, called a taxi, warmed the bottle for the baby, repaired it in an hour, answered every question, sent a replacement, offered vegan options, remembered our names, carried the stroller upstairs',
    ),
  },
  praise: [
    'The {thing} was {good} and {good}.',
    'We loved the {thing}, really {good}.',
    '{who} was very {good} and {did}.',
    'Very {good} {thing}, and the {thing} is {good} too.',
    'Only {number} minutes on foot to {place}.',
    'The {dish} were {good}, and so was the {thing}.',
    'Perfect for {occasion} with {company}.',
    '{who} {did}, which we did not expect.',
    'It was {good} {time}, we slept well and enjoyed the {thing}.',
    'Great value: the {thing} alone is worth the price.',
    'Ask for {name}, who {did}!',
    'There is a {good} {thing} for {company}, and {place} is close.',
    'Try the {dish} with the {name} sauce, they are {good}.',
    'From the {thing} you can see {place}, especially {good} {time}.',
    'Five stars for {name} and the {thing}.',
  ],
  complaint: [
    'The {thing} was {bad} and {bad}.',
    'Unfortunately the {thing} is {bad} {time}.',
    '{who} was {bad} and did not apologise.',
    'We waited {number} hours for the {thing}.',
    'The {dish} came {bad}, twice.',
    'Too {bad} for the price, and the {thing} did not work.',
    'It gets {bad} {time} because of {place}.',
    'Nobody answered the phone, and the {thing} stayed {bad}.',
    'I asked {name} for help and got a {bad} answer.',
  ],
  neutral: [
    'We stayed {number} nights for {occasion}.',
    'I came here with {company} {time}.',
    'We booked through {name} and paid {number}0 euros.',
    'There is also a {thing} next to the {thing}.',
    'We ordered {dish} and {dish}.',
    'It is near {place}, behind the {name} building.',
    'Our second visit after {number} years.',
  ],
}

const GERMAN: Grammar = {
  language: 'de',
  words: {
    thing: list(
      'Zimmer, Frühstück, Personal, Bett, Badezimmer, Restaurant, Lage, Aussicht, Kaffee, Abendessen, Dusche, Parkplatz, Terrasse, Garten, Balkon, WLAN, Rezeption, Sauna, Aufzug, Spielplatz, Speisekarte, Lieferung, Verpackung, Werkstatt',
    ),
    good: list(
      'sehr gut, sauber, freundlich, ruhig, bequem, lecker, gemütlich, frisch, modern, hilfsbereit, liebevoll',
    ),
    bad: list('schmutzig, laut, kalt, langsam, klein, teuer, unfreundlich, kaputt, muffig, veraltet'),
    who: list('die Kellnerin, der Chef, die Dame am Empfang, der Koch, der Hausmeister, die Besitzerin'),
    company: list('meiner Frau, den Kindern, unserem Hund, Freunden, meinen Eltern, der ganzen Familie'),
    time: list('in der Nacht, am Morgen, am Sonntag, im Sommer, abends, unter der Woche'),
    place: list('zum Bahnhof, zum See, in die Altstadt, zum Strand, zum Flughafen, zur Messe'),
  },
  praise: [
    'Das {thing} war {good} und {good}.',
    'Wir waren mit {company} hier, {thing} und {thing} waren {good}.',
    'Besonders {who} war {good}.',
    'Nur {number} Minuten {place}.',
    '{time} war es angenehm {good}.',
    'Vielen Dank an {name}!',
  ],
  complaint: [
    'Leider war das {thing} {bad}.',
    '{who} war {bad} und {bad}.',
    'Wir haben {number} Stunden auf das {thing} gewartet.',
    'Für den Preis zu {bad}.',
  ],
  neutral: ['Wir waren {number} Nächte dort.', 'Gebucht über {name}.', 'Es liegt {number} Minuten {place}.'],
}

const FRENCH: Grammar = {
  language: 'fr',
  words: {
    thing: list(
      'la chambre, le petit déjeuner, le personnel, le lit, la salle de bain, le restaurant, la terrasse, la piscine, le jardin, la vue, le parking, la carte, le dessert, la livraison',
    ),
    good: list('propre, calme, agréable, délicieux, confortable, accueillant, spacieux, frais, soigné, charmant'),
    bad: list('sale, bruyant, froid, lent, petit, cher, vétuste, cassé, décevant'),
    company: list('ma femme, les enfants, notre chien, des amis, mes parents'),
    place: list('de la gare, du lac, de la plage, du centre, du port'),
  },
  praise: [
    '{thing} était vraiment {good} et {good}.',
    'Nous avons adoré {thing} et {thing}.',
    'À {number} minutes {place}, très {good}.',
    'Idéal avec {company}, {thing} est {good}.',
    'Merci à {name} pour son accueil !',
  ],
  complaint: [
    'Malheureusement {thing} était {bad}.',
    'Trop {bad} pour le prix.',
    '{number} heures d’attente, {thing} {bad}.',
  ],
  neutral: ['Nous sommes restés {number} nuits avec {company}.', 'Réservé par {name}.'],
}

const SPANISH: Grammar = {
  language: 'es',
  words: {
    thing: list(
      'la habitación, el desayuno, el personal, la cama, el baño, el restaurante, la piscina, la terraza, la ubicación, el aparcamiento, la comida, el servicio, el envío',
    ),
    good: list('limpio, amable, tranquilo, cómodo, delicioso, espacioso, fresco, moderno, acogedor'),
    bad: list('sucio, ruidoso, frío, lento, pequeño, caro, viejo, roto'),
    company: list('mi mujer, los niños, unos amigos, mis padres, nuestro perro'),
    place: list('de la estación, de la playa, del centro, del aeropuerto'),
  },
  praise: [
    'Muy {good} {thing}, volveremos.',
    'Nos encantó {thing}, todo {good} y {good}.',
    'A {number} minutos {place}.',
    'Perfecto para ir con {company}: {thing} es {good}.',
    'Gracias a {name} por todo.',
  ],
  complaint: ['Por desgracia {thing} estaba {bad}.', 'Demasiado {bad} por ese precio.'],
  neutral: ['Estuvimos {number} noches con {company}.', 'Reservamos con {name}.'],
}

export const GRAMMARS: readonly Grammar[] = [ENGLISH, GERMAN, FRENCH, SPANISH]
