/**
 * The script of the demo's pages, `/demo/live.js`: the field and the chips set the block's query, and the outcome is
 * described in words. It is a string, since it runs in a browser; like a site's own script it uses the snippet's element and
 * events.
 */
export const LIVE_SCRIPT = `'use strict'
const answer = document.querySelector('#answer')
const field = document.querySelector('#q')
const said = document.querySelector('#said')
const nothing = document.querySelector('#nothing')
const chips = [...document.querySelectorAll('.chips button')]
let timer

function ask(query) {
  clearTimeout(timer)
  const text = query.trim()
  if (!answer || !text || answer.dataset.query === text) return
  answer.dataset.query = text
  for (const chip of chips) chip.setAttribute('aria-pressed', String(chip.textContent === text))
}

for (const chip of chips) {
  chip.addEventListener('click', () => {
    field.value = chip.textContent
    ask(chip.textContent)
  })
}
field?.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => ask(field.value), 350)
})
document.querySelector('#ask')?.addEventListener('submit', (event) => {
  event.preventDefault()
  ask(field.value)
})

function tell(text, isEmpty) {
  if (said) said.textContent = text
  if (nothing) nothing.hidden = !isEmpty
}
document.addEventListener('pullquote:loaded', ({ target, detail }) => {
  const { length } = detail.response.results
  if (target === answer) tell(length + (length === 1 ? ' review fits “' : ' reviews fit “') + answer.dataset.query + '”, word for word:', false)
  else tell('', false)
})
document.addEventListener('pullquote:empty', ({ target }) => {
  tell(target === answer ? 'No review fits “' + answer.dataset.query + '”.' : '', true)
})
document.addEventListener('pullquote:error', ({ detail }) => {
  tell(detail.status === 429 ? 'That was a lot of questions for one minute. Try again shortly.' : (detail.status ? 'No reviews: ' : 'The server did not answer: ') + detail.message, false)
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      button.textContent = 'Selected'
    }
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
}
`
