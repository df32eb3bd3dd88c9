import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const COMMANDS = join(import.meta.dirname, '../../src/commands')
const SESSIONS = new Set(['withSession', 'withOperator', 'withClient'])

const test = suite('questions')

test('no command asks for a yes while it has the embedded database open, for which others wait', () => {
  const names = readdirSync(COMMANDS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  let asking = 0
  const inside = names.filter((name) => {
    let sessions = 0
    let found = false
    const visitor = new Visitor({
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (SESSIONS.has(callee.property.name)) sessions++
        if (callee.property.name !== 'confirm') return
        asking++
        found ||= sessions > 0
      },
      'CallExpression:exit'({ callee }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (SESSIONS.has(callee.property.name)) sessions--
      },
    })
    visitor.visit(parseSync(name, readFileSync(join(COMMANDS, name), 'utf8')).program)
    return found
  })
  assert.equal(inside, [])
  assert.ok(asking >= 8, `${asking} questions were found`)
})

test.run()
