import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  assert.equal(readdirSync(dir).sort(), ['.env.example', 'Caddyfile', 'Dockerfile', 'compose.yaml'])
  writeFileSync(join(dir, 'Caddyfile'), 'mine')
  const again = JSON.parse((await runCli(home, ['init', 'caddy', 'nginx', '--dir', dir, '--json'])).stdout)
  assert.equal([again.written, again.kept], [[join(dir, 'nginx.conf')], [join(dir, 'Caddyfile')]])
  assert.is(readFileSync(join(dir, 'Caddyfile'), 'utf8'), 'mine')
})

test('an unknown template is told what there is', async () => {
  const { code, stderr } = await runCli(home, ['init', 'docker', 'kubernetes'])
  assert.is(code, 2)
  assert.match(stderr, /there are: docker, systemd/)
})

test.run()
