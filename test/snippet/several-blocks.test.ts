import * as assert from 'uvu/assert'
import { answer, result } from './reviews.ts'
import { type Opened, type Stage, stageSuite } from './stage.ts'

const test = stageSuite('blocks of one page')

const REVIEWS = [
  'Warm rolls.',
  'Soft beds.',
  'A quiet lake.',
  'Free boats.',
  'Good tea.',
  'Kind people.',
  'A sauna.',
].map((text) => result({ text }))
/** As the service: the best for any query are the same, as many as are asked for. */
const best = (url: URL) => answer(REVIEWS.slice(0, Number(url.searchParams.get('limit') ?? 5)))
const block = (query: string, attributes = '') =>
  `<pullquote-reviews data-query="${query}" ${attributes}></pullquote-reviews>`

async function until(count: number, { page }: Opened): Promise<void> {
  await page.waitForFunction((count) => Reflect.get(window, 'events').length >= count, count)
}

/** The reviews of each block, whose elements stand behind one another. */
function shown({ page }: Opened): Promise<string[][]> {
  return page
    .locator('pullquote-reviews')
    .evaluateAll((all) =>
      all.map((each) =>
        [...(each.shadowRoot?.querySelectorAll('blockquote') ?? [])].map((one) => one.textContent ?? ''),
      ),
    )
}

test('no review stands twice: a block leaves out what those above it show, and asks for more', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await stage.settle(
    `<html><head>${stage.tag()}</head><body>${block('a', 'data-limit="1"')}${block('b', 'data-limit="3"')}${block('c', 'data-layout="single"')}</body></html>`,
    {
      // The answer for the first block comes last.
      before: (page) =>
        page.route('**/v1/query*q=a&*', async (route) => {
          await page.waitForResponse(/q=c&/)
          await route.continue()
        }),
    },
  )
  await until(3, opened)
  assert.equal(await shown(opened), [['Warm rolls.'], ['Soft beds.', 'A quiet lake.', 'Free boats.'], ['Good tea.']])
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q') + (url.searchParams.get('limit') ?? '')).sort(),
    ['a1', 'b20', 'c20'],
  )
  const results = await opened.page.evaluate(() =>
    Reflect.get(window, 'events').map((each: CustomEvent) => each.detail.response.results.length),
  )
  assert.equal(results, [1, 3, 1], 'what is told is what is shown')
  await opened.page.context().close()
})

test('tags are asked for as they stand on the page, whichever file runs first', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await stage.settle(
    `<title>x</title><div>${stage.tag('data-query="a" data-limit="1"')}</div><div>${stage.tag('data-query="b" data-limit="1"', 'snippet.b.js')}</div>`,
    {
      before: (page) =>
        page.route('**/snippet.js', async (route) => {
          await page.waitForResponse(/snippet\.b\.js/)
          await route.continue()
        }),
    },
  )
  await until(2, opened)
  assert.equal(await shown(opened), [['Warm rolls.'], ['Soft beds.']])
  await opened.page.context().close()
})

test('when nothing else fits nothing is shown, and a review is free again when its block is gone', async (stage) => {
  stage.service.plan = { response: answer(REVIEWS.slice(0, 1)) }
  const opened = await stage.settle(`${block('a')}${block('b', 'data-heading="Guests say"')}${stage.tag()}`)
  await until(2, opened)
  assert.equal(await shown(opened), [['Warm rolls.'], []])
  assert.is(await opened.page.getByText('Guests say').count(), 0)
  await opened.page.evaluate(() => {
    document.querySelector('pullquote-reviews')?.remove()
    document.querySelector('pullquote-reviews')?.setAttribute('data-limit', '2')
  })
  await until(3, opened)
  assert.equal(await shown(opened), [['Warm rolls.']])
  await opened.page.context().close()
})

/** A page whose layout keeps a block below what a router draws; `draw` is the router's work. */
async function afterRoute(stage: Stage, draw: () => void): Promise<Opened> {
  const opened = await stage.settle(
    `<html><head>${stage.tag()}</head><body><main></main>${block('b', 'data-limit="2"')}</body></html>`,
  )
  assert.equal(await shown(opened), [['Warm rolls.', 'Soft beds.']])
  stage.service.queries.length = 0
  await opened.page.evaluate(draw)
  return opened
}

test('after a change of route a block that the layout keeps gives way to a new one', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await afterRoute(stage, () => {
    history.pushState(null, '', '/page?next')
    const main = document.querySelector('main') as HTMLElement
    main.innerHTML = '<pullquote-reviews data-query="a" data-limit="3"></pullquote-reviews>'
  })
  await until(3, opened)
  assert.equal(await shown(opened), [
    ['Warm rolls.', 'Soft beds.', 'A quiet lake.'],
    ['Free boats.', 'Good tea.'],
  ])
  await opened.page.context().close()
})

test('one that shows nothing of what the new one shows is left as it is', async (stage) => {
  stage.service.plan = {
    response: (url) => (url.searchParams.get('q') === 'a' ? answer(REVIEWS.slice(4).concat(REVIEWS)) : best(url)),
  }
  const opened = await afterRoute(stage, () => {
    history.pushState(null, '', '/page?next')
    const main = document.querySelector('main') as HTMLElement
    main.innerHTML = '<pullquote-reviews data-query="a" data-limit="3"></pullquote-reviews>'
  })
  await until(2, opened)
  // Longer than the snippet waits after a change of route.
  await opened.page.waitForTimeout(900)
  assert.equal(await shown(opened), [
    ['Good tea.', 'Kind people.', 'A sauna.'],
    ['Warm rolls.', 'Soft beds.'],
  ])
  assert.is(stage.service.queries.length, 1)
  await opened.page.context().close()
})

test('without a change of route what is shown stays, and a later block leaves it out', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await afterRoute(stage, () => {
    const main = document.querySelector('main') as HTMLElement
    main.innerHTML = '<pullquote-reviews data-query="a" data-limit="3"></pullquote-reviews>'
  })
  await until(2, opened)
  assert.equal(await shown(opened), [
    ['A quiet lake.', 'Free boats.', 'Good tea.'],
    ['Warm rolls.', 'Soft beds.'],
  ])
  await opened.page.context().close()
})

test('blocks of which one is hidden, for narrow and for wide windows, show the same', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await stage.settle(
    `<div style="display: none">${block('a', 'data-limit="1"')}</div>${block('a', 'data-limit="2"')}<div style="display: none">${block('b', 'data-limit="1"')}</div>${stage.tag()}`,
  )
  await until(3, opened)
  assert.equal(await shown(opened), [['Warm rolls.'], ['Warm rolls.', 'Soft beds.'], ['Warm rolls.']])
  await opened.page.context().close()
})

test('a copy of a block, as carousels make them, shows what it shows', async (stage) => {
  stage.service.plan = { response: best }
  const opened = await stage.settle(
    `${block('b', 'data-limit="1"')}${block('a', 'data-limit="1"')}${block('b', 'data-limit="1"')}${stage.tag()}`,
  )
  await until(3, opened)
  assert.equal(await shown(opened), [['Warm rolls.'], ['Soft beds.'], ['Warm rolls.']])
  await opened.page.context().close()
})

test('another file of the name snippet.js, a chat’s, is not asked for reviews', async (stage) => {
  stage.service.plan = { response: best }
  const chat = '<script src="/ekr/snippet.js?key=1"></script>'
  const key = /data-key="\S*"/.exec(stage.tag())?.[0]
  const opened = await stage.settle(
    `${chat}${block('a', `${key} data-limit="1"`)}<script async src="${stage.service.origin}/snippet.js"></script>`,
  )
  assert.equal(await shown(opened), [['Warm rolls.']])
  await opened.page.context().close()
})

test('a tag that waits for a consent asks nothing, and one whose copy runs in its stead shows one block', async (stage) => {
  stage.service.plan = { response: best }
  const inert = (type: string, query: string) => stage.tag(`type="${type}" data-limit="1" data-query="${query}"`)
  const opened = await stage.settle(
    `${inert('text/plain', 'refused')}${inert('0a1b2c3d-text/javascript', 'later')}<script>
      for (const held of document.querySelectorAll('[type$="-text/javascript"]')) {
        const copy = document.createElement('script')
        for (const { name, value } of held.attributes) copy.setAttribute(name, name === 'type' ? 'text/javascript' : value)
        held.after(copy)
      }
    </script>`,
  )
  await until(1, opened)
  assert.equal(await shown(opened), [['Warm rolls.']])
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q')),
    ['later'],
  )
  await opened.page.context().close()
})

test('tags that a plugin delays under a type of one word, and replaces one by one, show one block each', async (stage) => {
  stage.service.plan = { response: best }
  const delayed = (query: string) => stage.tag(`type="delayedscript" data-limit="1" data-query="${query}"`)
  const opened = await stage.visit(
    `${delayed('one')}${delayed('two')}<script type="module">
      for (const held of document.querySelectorAll('[type=delayedscript]')) {
        const copy = document.createElement('script')
        for (const { name, value } of held.attributes) if (name !== 'type') copy.setAttribute(name, value)
        held.replaceWith(copy)
        await new Promise((go) => document.addEventListener('pullquote:loaded', go, { once: true }))
      }
      document.body.className = 'done'
    </script>`,
  )
  await opened.page.locator('.done').waitFor()
  assert.is((await shown(opened)).length, 2)
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q')),
    ['one', 'two'],
  )
  await opened.page.context().close()
})

test('render on a page without an address, as about:srcdoc, does not reject', async (stage) => {
  stage.service.plan = { response: best }
  const { page } = await stage.visit(
    `<script src="${stage.service.origin}/snippet.js"></script><iframe srcdoc="<p>x"></iframe>`,
  )
  const outcome = await page.evaluate(async () => {
    const frame = document.querySelector('iframe')?.contentWindow as Window
    const code = await (await fetch((document.querySelector('script') as HTMLScriptElement).src)).text()
    const tag = frame.document.createElement('script')
    tag.textContent = code
    frame.document.body.append(tag)
    const rendered = frame.pullquote?.render(frame.document.querySelector('p') as HTMLElement, { key: 'svc_pk_x' })
    return rendered?.then(
      () => 'done',
      (error) => `${error}`,
    )
  })
  assert.is(outcome, 'done')
  await page.context().close()
})

test.run()
