/**
 * Pictures of the snippet for people to look at: `tsx test/snippet/screenshots.ts FOLDER` writes one for each kind of
 * page.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answer, HOTEL, result } from './reviews.ts'
import { Stage } from './stage.ts'

const folder = process.argv[2]
if (!folder) throw new Error('usage: tsx test/snippet/screenshots.ts FOLDER')
mkdirSync(folder, { recursive: true })

const LONG = result({
  text: `${'We sat by the fire, the dog asleep between us, and read until it was dark. '.repeat(14)}The cook came out to ask whether the trout was right, and it was.`,
  excerpt: 'The cook came out to ask whether the trout was right, and it was.',
  author_name: 'Ingrid und Peter Brandstätter',
  source: 'yelp',
})
const HEBREW = [
  result({
    text: 'ארוחת הבוקר הייתה נפלאה, עם לחם טרי ודבש מהכפר. נחזור בקיץ הבא.',
    excerpt: 'ארוחת הבוקר הייתה נפלאה',
    author_name: 'נועה לוי',
  }),
  result({
    text: 'Wonderful breakfast, and we came back twice.',
    author_name: 'Ben Carter',
    rating: 4,
    source: 'custom',
  }),
]

const style = (background: string, color: string) =>
  `<style>body { margin: 2.5rem auto; max-width: 66rem; padding: 0 1.5rem; background: ${background}; color: ${color}; font: 17px/1.6 Georgia, 'Noto Serif', serif }</style>`
const LIGHT = style('#faf8f4', '#26282c')
const DARK = style('#15171a', '#ebebea')
const SANS = `${style('#fff', '#222')}<style>body { font-family: system-ui, 'Noto Sans', sans-serif }</style>`
const HEADED = 'data-heading="What guests say" data-note="Showing reviews of 4 stars and more"'

const shots: [name: string, width: number, css: string, attributes: string, rows: typeof HOTEL, html?: string][] = [
  ['wide-light', 1200, LIGHT, HEADED, HOTEL],
  ['wide-dark', 1200, DARK, HEADED, HOTEL],
  ['narrow-light', 390, LIGHT, HEADED, HOTEL],
  ['narrow-dark', 390, DARK, HEADED, HOTEL],
  ['one', 1200, SANS, '', HOTEL.slice(0, 1)],
  ['two', 1200, SANS, '', HOTEL.slice(0, 2)],
  [
    'five',
    1200,
    SANS,
    '',
    [...HOTEL, LONG, result({ text: 'Lovely.', author_name: null, rating: null, occurred_at: null })],
  ],
  ['whole-reviews', 1200, SANS, 'data-mode="reviews"', [...HOTEL.slice(0, 2), LONG]],
  ['right-to-left', 900, SANS, 'data-lang="he"', HEBREW, '<html dir="rtl" lang="he">'],
]

const stage = await Stage.open()
for (const [name, width, css, attributes, rows, html = '<html lang="en">'] of shots) {
  stage.service.plan = { response: answer(rows, { badge: true }) }
  const { page } = await stage.settle(
    `${html}<head><meta name="viewport" content="width=device-width"><title>Breakfast</title>${css}</head>
     <body><h1>Breakfast by the lake</h1><p>Served from seven to eleven.</p>${stage.tag(attributes)}</body></html>`,
    { viewport: { width, height: 400 }, deviceScaleFactor: 1.5 },
  )
  await page.screenshot({ path: join(folder, `snippet-${name}.png`), fullPage: true })
  await page.context().close()
  console.log(name)
}
await stage.close()
