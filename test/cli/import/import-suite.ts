import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openService, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { type CliOptions, newHome, runCli } from '../run-cli.ts'

export const SAMPLES = join(import.meta.dirname, '../../../templates/import/samples')

/** A suite with a server, and commands that import into it. */
export function importSuite(name: string) {
  const test = suite(name)
  const home = newHome()
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-import-'))
  let service: TestService
  let server: Transport
  let projects = 0

  test.before(async () => {
    service = await openService()
    server = await openTransport('socket', service.deps)
  })
  test.after(async () => {
    await server.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (key: string, args: string[], options: CliOptions = {}) =>
    runCli(home, ['reviews', ...args, '--url', server.url], {
      ...options,
      env: { PULLQUOTE_KEY: key, ...options.env },
    })
  return {
    test,
    home,
    folder,
    run,
    get service() {
      return service
    },
    /** A key of a new project. */
    freshKey: async () =>
      service.makeKey(await service.makeProject(`cli-${projects++}`, { plan: 'free' }), 'secret', 'live'),
    async json(key: string, args: string[]) {
      const { code, stdout, stderr } = await run(key, [...args, '--json'])
      assert.is(code, 0, stderr)
      return JSON.parse(stdout)
    },
    file(name: string, content: string | Uint8Array): string {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}
