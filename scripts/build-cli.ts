/**
 * Bundles the command line into `draft`/cli, with the packages that every command loads at its start: a command opens a
 * few files instead of 250, of which oclif and its dependencies are 190. The server's code stays separate, and so do
 * packages that few commands need.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin as OclifPlugin } from '@oclif/core'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')

const LAZY = 'lazy'
/** Loaded from node_modules on demand. oclif itself tries to load typescript, ts-node and pnpapi. */
const EXTERNAL = [
  ...['@inquirer/prompts', 'chokidar', 'csv-parse', 'fflate', 'htmlparser2', 'ora'],
  ...['typescript', 'ts-node', 'pnpapi'],
]

/** Globals that CommonJS modules in the bundle expect. */
const COMMONJS_GLOBALS = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{dirname as __dirnameOf}from'node:path'",
  "import{fileURLToPath as __pathOf}from'node:url'",
  'const require=__createRequire(import.meta.url),__filename=__pathOf(import.meta.url),__dirname=__dirnameOf(__filename)',
].join(';')

const source = join(root, 'src')

/** @param draft absolute path of the folder that becomes dist/ */
export async function buildCli(draft: string): Promise<void> {
  const commands = readdirSync(join(source, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('commands', name))
  const own = ['main.ts', 'hooks/command-not-found.ts', 'hooks/bash-completion.ts'].map((name) => join('cli', name))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...own, ...commands].map((name) => join(source, name)),
    outbase: source,
    outdir: join(draft, 'cli'),
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    external: EXTERNAL,
    banner: { js: `${COMMONJS_GLOBALS};` },
    plugins: [
      lazyPackages,
      {
        name: 'external-server',
        setup({ onResolve }) {
          // Via the subpath import in package.json, since the bundle's files are at different depths.
          onResolve({ filter: /^\.\.?\/.*\/server\// }, ({ path }) => ({
            path: path.replace(/^.*\/server\//, '#server/').replace(/ts$/, 'js'),
            external: true,
          }))
        },
      },
    ],
  })
  writeFileSync(join(draft, 'cli', 'THIRD-PARTY-LICENSES.txt'), licenses(Object.keys(metafile.inputs)))
  await writeManifest(draft)
}

/** Writes oclif's manifest, which describes the commands without loading them, into `draft`/cli. */
async function writeManifest(draft: string): Promise<void> {
  const described = readFileSync(join(root, 'package.json'), 'utf8').replaceAll('./dist/cli/', './')
  const plugin = new OclifPlugin({
    root: join(draft, 'cli'),
    pjson: JSON.parse(described),
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  // oclif assumes CommonJS for anything in node_modules, where the draft is.
  for (const command of Object.values(plugin.manifest.commands)) command.isESM = true
  writeFileSync(join(draft, 'cli', 'oclif.manifest.json'), JSON.stringify(plugin.manifest))
}

/**
 * Defers packages of a single function, imported by many modules but rarely called, to their first call. For most texts
 * src/cli/output/fast-width.ts tells the width without the package.
 */
const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^(?:string-width|wrap-ansi)$/ }, async ({ path: name, kind, importer, resolveDir }) => {
      // oclif depends on older versions, which are CommonJS and so evaluated lazily anyway.
      if (kind !== 'import-statement') return undefined
      const { path } = await resolve(name, { kind: 'require-call', importer, resolveDir })
      return { path, namespace: LAZY, pluginData: name }
    })
    onLoad({ filter: /./, namespace: LAZY }, ({ path, pluginData: name }) => {
      const first = `import { fastWidth } from ${JSON.stringify(join(source, 'cli', 'output', 'fast-width.ts'))}
          export default (text, options) =>
            (options && text.includes('\\u001b') ? undefined : fastWidth(text)) ?? real(text, options)`
      const contents = `let called
          const real = (...given) => (called ??= require(${JSON.stringify(path)}).default)(...given)
          ${name === 'string-width' ? first : 'export default real'}`
      return { contents, loader: 'js', resolveDir: root }
    })
  },
}

/** The licence texts of all bundled packages. */
function licenses(inputs: readonly string[]): string {
  const files = inputs.filter((path) => !path.startsWith(LAZY))
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const named = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const contents = named.map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...contents].join('\n\n')
  })
  return `The command line holds code of these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
