import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('pullquote init')
const home = newHome()

test('the chosen files are written, and files that are there are kept', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-init-'))
  const { code, stdout } = await runCli(home, ['init', 'docker', 'caddy', '--dir', dir, '--json'])
  assert.is(code, 0)
  assert.is(JSON.parse(stdout).written.length, 4)
  assert.equal(readdirSync(dir).sort(), ['Caddyfile', 'Dockerfile', 'compose.env.example', 'compose.yaml'])
  const example = readFileSync(join(dir, 'compose.env.example'), 'utf8')
  for (const secret of ['POSTGRES_PASSWORD', 'PULLQUOTE_OPERATOR_TOKEN']) assert.ok(example.includes(`\n${secret}=\n`))
  // What compose sets itself would have no effect.
  assert.not.match(example, /^#?(DATABASE_URL|PULLQUOTE_HOST|PULLQUOTE_PORT)=/m)
  assert.match(example, /^#PULLQUOTE_EMBEDDER=/m)
  writeFileSync(join(dir, 'Caddyfile'), 'mine')
  const again = JSON.parse((await runCli(home, ['init', 'caddy', 'nginx', '--dir', dir, '--json'])).stdout)
  assert.equal([again.written, again.kept], [[join(dir, 'nginx.conf')], [join(dir, 'Caddyfile')]])
  assert.is(readFileSync(join(dir, 'Caddyfile'), 'utf8'), 'mine')
})

test('the settings for compose and the plain ones have each a file of their own, in whichever order', async () => {
  for (const [first, second] of [
    ['systemd', 'docker'],
    ['docker', 'env'],
  ] as const) {
    const dir = mkdtempSync(join(tmpdir(), 'pullquote-init-'))
    await runCli(home, ['init', first, '--dir', dir])
    const { kept } = JSON.parse((await runCli(home, ['init', second, '--dir', dir, '--json'])).stdout)
    assert.equal(kept, [])
    assert.match(readFileSync(join(dir, 'compose.env.example'), 'utf8'), /^POSTGRES_PASSWORD=$/m)
    assert.not.match(readFileSync(join(dir, '.env.example'), 'utf8'), /POSTGRES_PASSWORD/)
  }
})

test('a folder that cannot be made is told, in words', async () => {
  const blocked = join(mkdtempSync(join(tmpdir(), 'pullquote-init-')), 'file')
  writeFileSync(blocked, '')
  const { code, stderr } = await runCli(home, ['init', 'docker', '--dir', join(blocked, 'x')])
  assert.is(code, 1)
  assert.match(
    stderr,
    /^Error: the folder .* cannot be created \(ENOTDIR\); nothing was written\.\n {2}Try: choose another/,
  )
})

test('a folder that takes no others is told as well, instead of being asked for one without end', async () => {
  if (!existsSync('/proc/self')) return
  const { code, stderr } = await runCli(home, ['init', 'docker', '--dir', '/proc/deploy/here'])
  assert.is(code, 1)
  assert.match(stderr, 'the folder /proc/deploy/here cannot be created (ENOENT)')
})

test('an unknown template is told what there is', async () => {
  const { code, stderr } = await runCli(home, ['init', 'docker', 'kubernetes'])
  assert.is(code, 2)
  assert.match(stderr, /there are: docker, systemd/)
})

test.run()
