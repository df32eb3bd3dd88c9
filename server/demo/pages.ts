/** The sample pages of the demo: the web site of a made-up hotel, matching its reviews in templates/demo. */
export interface DemoPage {
  /** Last segment of the address. */
  slug: string
  /** Name in the navigation. */
  name: string
  title: string
  description: string
  text: string
}

/** The project that `npm run demo` fills. */
export const DEMO_PROJECT = 'tarnholm-lake-hotel'
export const SITE = 'Tarnholm Lake Hotel'

/** Example queries, the first of which runs at once. The last one is off topic. */
export const CHIPS = ['breakfast', 'parking', 'dogs', 'wifi', 'quiet rooms', 'small children', 'sauna', 'income tax']

/** The slug of the page whose heading is in the request. */
export const OWN_SLUG = 'own'
export const OWN_TEXT_LENGTH = 300

export const PAGES: DemoPage[] = [
  {
    slug: 'rooms',
    name: 'Rooms',
    title: 'A room with a lake view and a balcony',
    description: 'Quiet nights and good beds.',
    text: 'Thirty-one rooms, most of them with a balcony that is deep enough for two chairs and a table. The walls are old and thick, the beds are not.',
  },
  {
    slug: 'restaurant',
    name: 'Restaurant',
    title: 'Dinner by candlelight',
    description: 'A romantic dinner for two, with lake trout and good wine.',
    text: 'Our kitchen cooks what the lake and the garden give. The menu is short and changes with the weather; the corner table by the stove is worth asking for.',
  },
  {
    slug: 'sauna',
    name: 'Sauna',
    title: 'A sauna with a view of the lake',
    description: 'Steam, a window onto the water and steps into it.',
    text: 'The sauna looks over the lake, and nine wooden steps lead from its door into the cold water. Open from two.',
  },
  {
    slug: 'families',
    name: 'Families',
    title: 'Holidays with small children',
    description: 'Families, toddlers and kids: cots, toys and a chef who lets children cook.',
    text: 'A cot is in the room before you are. Children eat from half past five, and on Thursdays they roll their own pasta.',
  },
  {
    slug: 'breakfast',
    name: 'Breakfast',
    title: 'Breakfast on the terrace',
    description: 'Bread from our own oven, honey from the village, coffee until eleven.',
    text: 'The bread comes out of the oven at half past six. Breakfast ends at eleven, and nobody will hurry you at ten to.',
  },
  {
    slug: 'taxes',
    name: 'Income tax',
    title: 'When is the income tax return due?',
    description: 'Deadlines, forms and extensions.',
    text: 'This page has nothing to do with a hotel. It has the same tag as the others, right below this line.',
  },
]
