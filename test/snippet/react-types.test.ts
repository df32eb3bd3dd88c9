/** The declaration that nextjs.md gives for TypeScript, compiled with React's own types. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const ROOT = join(import.meta.dirname, '../..')
const recipe = readFileSync(join(ROOT, 'templates', 'snippet', 'nextjs.md'), 'utf8')
const declaration = /```ts\n(import 'react'.*?)```/s.exec(recipe)?.[1] ?? ''

const test = suite('types of the element in React')

/** The compiler's messages about a component that returns this. */
async function errorsOf(jsx: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-react-types-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'pullquote.d.ts'), declaration)
  writeFileSync(join(folder, 'page.tsx'), `export const Page = ({ slug }: { slug: string }) => ${jsx}\n`)
  const compilerOptions = {
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
  }
  const options = { compilerOptions: { ...compilerOptions, skipLibCheck: true, types: [] }, include: ['.'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const { stdout } = await execa(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], { reject: false })
  rmSync(folder, { recursive: true, force: true })
  return stdout
}

test('takes data attributes, a style, and the key that makes it anew for each page', async () => {
  assert.is(
    await errorsOf('<pullquote-reviews key={slug} data-query={slug} data-limit={3} style={{ minHeight: 9 }} />'),
    '',
  )
})

test('and refuses an attribute of another name', async () => {
  assert.match(await errorsOf('<pullquote-reviews dataQuery={slug} />'), /dataQuery/)
})

test.run()
