/** The recipes of content-systems.md that ask for a product's own reviews, as they are written. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../src/importer/formats/mapping.ts'
import { reviewOf } from '../importer/prepared.ts'
import { KEY } from './fake-service.ts'
import { answer, HOTEL } from './reviews.ts'
import { type Stage, stageSuite } from './stage.ts'

const test = stageSuite('recipes for shops')

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'templates/snippet/content-systems.md'), 'utf8')

/** The blocks of code of a section in one language. */
function blocks(section: string, language: string): string[] {
  const [, text = ''] = PAGE.split(`\n## ${section}`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, named, code = '']) =>
    named === language ? [code] : [],
  )
}

/** The names of the columns that a statement gives. */
function columnsOf(sql: string): string[] {
  const [, list = ''] = /^select\s+([\s\S]*?)\nfrom /.exec(sql) ?? []
  let flat = list
  while (flat.includes('(')) flat = flat.replace(/\([^()]*\)/g, '')
  return flat.split(',').map(
    (column) =>
      column
        .trim()
        .split(/[\s.]+/)
        .at(-1) ?? '',
  )
}

/** As these systems keep it, or as their templates write it. */
const NAME = 'Lamp &quot;Oak&quot; &amp; shade'
/** A row of every table, by its columns. */
const ROW: Record<string, string> = {
  ...{ id: '1', review_id: '1', reviews_id: '1', id_product_comment: '1', id_hotel_review: '1' },
  ...{ products_id: '7', product_id: '7', id_product: '7', entity_pk_value: '7', id_hotel: '7' },
  ...{
    text: 'Bright.',
    reviews_text: 'Bright.',
    content: 'Bright.',
    detail: 'Bright.',
    review: 'Bright.',
    description: 'Bright.',
    title: 'Good',
    subject: 'Good',
    comment: 'Thank you.',
  },
  ...{ rating: '4', reviews_rating: '4', grade: '4', points: '4', percent: '80.0000' },
  ...{
    author: 'Ann',
    customer_name: 'Ann',
    customers_name: 'Ann',
    nickname: 'Ann',
    name: 'Ann',
    external_user: 'Ann',
    first_name: 'Ann',
  },
  ...{ status: '1', validate: '1', deleted: '0', status_id: '1', approved: '1', anon: '0' },
  ...{ date_added: '2026-01-05 10:00:00', date_add: '2026-01-05 10:00:00', created_at: '2026-01-05 10:00:00' },
  time: '1767607872',
}

interface Recipe {
  section: string
  /** Of the template, and which of the section's blocks in it. */
  template: [language: string, nth: number]
  /** What the system puts in place of each expression. */
  values: Record<string, string>
  /** The columns of the table that is imported; without them those of the section's statement. */
  columns?: string
  metadata?: string
  /** Cells that this system fills otherwise than ROW has them. */
  cells?: Record<string, string>
}

const RECIPES: Recipe[] = [
  {
    section: 'OpenCart',
    template: ['twig', 0],
    values: { '{{ heading_title }}': NAME, '{{ product_id }}': '7' },
    columns: 'review_id product_id author text rating status date_added',
    metadata: 'product_id',
  },
  {
    section: 'PrestaShop',
    template: ['smarty', 0],
    values: { '{$product.name}': NAME, '{$product.id_product}': '7' },
    metadata: 'id_product',
  },
  {
    section: 'QloApps',
    template: ['smarty', 0],
    values: { "{$product->name|escape:'html':'UTF-8'}": NAME, '{$id_hotel}': '7' },
    cells: { status: '3' },
  },
  {
    section: 'Sylius',
    template: ['twig', 0],
    values: {
      '{% set product = hookable_metadata.context.product %}': '',
      '{{ product.name }}': NAME,
      '{{ product.id }}': '7',
    },
    metadata: 'product_id',
    cells: { comment: 'Bright.', status: 'accepted' },
  },
  {
    section: 'Bagisto',
    template: ['blade', 0],
    values: { '{{ $product->name }}': NAME, '{{ $product->id }}': '7' },
    metadata: 'product_id',
    cells: { comment: 'Bright.', status: 'approved' },
  },
  {
    section: 'AbanteCart, CubeCart',
    template: ['php', 0],
    values: { '<?php echo $heading_title ?>': NAME, '<?php echo $product_id ?>': '7' },
    columns: 'review_id product_id author text rating status date_added',
    metadata: 'product_id',
  },
  {
    section: 'AbanteCart, CubeCart',
    template: ['smarty', 0],
    values: { '{$PRODUCT.name}': NAME, '{$PRODUCT.product_id}': '7' },
    columns: 'id approved product_id rating anon name title review time',
    metadata: 'product_id',
  },
  {
    section: 'Zen Cart',
    template: ['php', 0],
    values: {
      '<?php echo htmlspecialchars($products_name, ENT_COMPAT, CHARSET, false) ?>': NAME,
      "<?php echo (int)$_GET['products_id'] ?>": '7',
    },
    metadata: 'products_id',
  },
  {
    section: 'Shopware 6',
    template: ['twig', 0],
    values: {
      "{% sw_extends '@Storefront/storefront/element/cms-element-product-description-reviews.html.twig' %}": '',
      '{% block element_product_description_reviews %}': '',
      '{{ parent() }}': '',
      '{{ page.product.translated.name }}': NAME,
      '{{ page.product.parentId ?? page.product.id }}': '7',
      '{% endblock %}': '',
    },
  },
  {
    section: 'Magento, OpenMage',
    template: ['php', 0],
    values: {
      "<?php $product = Mage::registry('current_product') ?>": '',
      '<?php echo $this->escapeHtml($product->getName()) ?>': NAME,
      '<?php echo $product->getId() ?>': '7',
    },
  },
  {
    section: 'Magento, OpenMage',
    template: ['php', 1],
    values: {
      '<?= $escaper->escapeHtmlAttr($block->getProduct()->getName()) ?>': NAME,
      '<?= $block->getProduct()->getId() ?>': '7',
    },
  },
]

/** What the system makes of a template, with the stage's address and key. */
function filled(stage: Stage, { section, template: [language, nth], values }: Recipe): string {
  let html = blocks(section, language)[nth] ?? ''
  for (const [expression, value] of Object.entries(values)) {
    assert.ok(html.includes(expression), `${section}: ${expression}`)
    html = html.replaceAll(expression, value)
  }
  assert.not.match(html, /<\?|\{[{%$]/, section)
  return ofStage(stage, html)
}

function ofStage(stage: Stage, text: string): string {
  return text
    .replaceAll('https://reviews.example.com', stage.service.origin)
    .replaceAll('svc_pk_live_YOUR_PUBLISHABLE_KEY', KEY)
}

for (const recipe of RECIPES) {
  const { section, template, columns, metadata } = recipe
  const row: Record<string, string> = { ...ROW, ...recipe.cells }
  test(`${section} (${template.join(' ')}) asks for the product by its name, with the key under which the table named there is imported`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    const { page, lines } = await stage.settle(`<h1>Something else</h1>${filled(stage, recipe)}`)
    assert.is(await page.locator('[part=card]:visible').count(), 3)
    assert.equal(lines, [])
    await page.context().close()
    const [asked] = stage.service.queries.map(({ url: { searchParams } }) => searchParams)
    assert.is(asked?.get('q'), 'Lamp "Oak" & shade')
    const names = columns?.split(' ') ?? columnsOf(blocks(section, 'sql')[0] ?? '')
    for (const name of names) assert.ok(row[name], `${section} has a column ${name}`)
    const table = [names, names.map((name) => row[name])].map((cells) => `${cells.join('\t')}\n`).join('')
    if (metadata !== undefined) assert.ok(PAGE.includes(`--metadata ${metadata}`))
    const options: ImportOptions = metadata === undefined ? {} : { metadata: [metadata] }
    const review = await reviewOf(table, options)
    assert.equal([review.text, review.rating, review.author_name], ['Bright.', 4, 'Ann'])
    const keys = [...(asked?.keys() ?? [])].filter((name) => name.startsWith('metadata.'))
    assert.is(keys.length, 1)
    for (const key of keys) assert.is(review.metadata?.[key.replace('metadata.', '')], asked?.get(key), key)
  })
}

test('EverShop, whose scripts have no key: the element of the theme has it, and asks with the heading', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const [, script] = /"src": "([^"]+)"/.exec(ofStage(stage, blocks('EverShop', 'json')[0] ?? '')) ?? []
  const [component = ''] = blocks('EverShop', 'js').map((js) => ofStage(stage, js))
  const drawn = `${component}
    import { createRoot } from 'react-dom/client'
    createRoot(document.querySelector('main')).render(React.createElement(Reviews))`
  const { outputFiles } = await build({
    stdin: { contents: drawn, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  stage.put('/theme.js', outputFiles[0]?.text ?? '')
  const { page, lines } =
    await stage.settle(`<html><head><title>Lamps</title><script async src="${script}"></script></head>
    <body><h1>Oak lamp</h1><main></main><script type="module" src="/theme.js"></script></body></html>`)
  await page.locator('[part=card]').first().waitFor()
  const [asked] = stage.service.queries.map(({ url: { searchParams } }) => searchParams)
  assert.equal([asked?.get('q'), asked?.get('key')], ['Oak lamp', KEY])
  assert.equal(lines, [])
  await page.context().close()
})

test('Plone: the script at the end of the page shows the reviews below the content, whose comments stay', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const [script = ''] = blocks('Ghost, Zen Cart', 'html').map((html) => ofStage(stage, html))
  const { page, lines } = await stage.settle(
    `<title>Sauna</title><h1>Sauna</h1><div id="viewlet-below-content"><p>A comment</p></div><footer>${script}</footer>`,
  )
  const content = page.locator('#viewlet-below-content')
  assert.is(await content.locator('[part=card]:visible').count(), 3)
  assert.ok(await page.getByText('A comment').isVisible())
  assert.is(await page.locator('footer [part=card]').count(), 0)
  assert.equal(lines, [])
  await page.context().close()
})

test('the cards touch neither the tabs above nor the products below, to which some themes give no margin', async (stage) => {
  const styleOf = (section: string, language: string, product: string) => {
    const code = blocks(section, language).find((block) => block.includes(product)) ?? ''
    return /<pullquote-reviews style="([^"]*)"/.exec(code)?.[1]
  }
  for (const [style, above, below] of [
    [styleOf('PrestaShop', 'smarty', '$product.name'), 24, 24],
    [styleOf('Shopware 6', 'twig', 'page.product'), 24, 0],
    [styleOf('Magento, OpenMage', 'php', '$block->getProduct()'), 0, 32],
  ] as const) {
    const { page } = await stage.settle(
      `<div>Tabs</div><pullquote-reviews style="${style}"></pullquote-reviews><div>Products</div>${stage.tag()}`,
    )
    const gaps = await page.evaluate(() => {
      const [tabs, products] = document.querySelectorAll('main > div')
      const cards = document.querySelector('pullquote-reviews')?.getBoundingClientRect()
      const end = tabs?.getBoundingClientRect().bottom ?? Number.NaN
      const start = products?.getBoundingClientRect().top ?? Number.NaN
      return cards && [cards.top - end, start - cards.bottom].map(Math.round)
    })
    assert.equal(gaps, [above, below])
    await page.context().close()
  }
})

test.run()
