/**
 * Bundles the command line into `draft`/cli, with the packages that every command starts with: a command opens a few
 * files instead of 250, of which oclif and what it brings are 190. The server's code is apart, and so are packages that
 * few commands need.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin as OclifPlugin } from '@oclif/core'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')

const WHEN_CALLED = 'when-called'
/** Loaded from node_modules when a command needs them. oclif looks for typescript, ts-node and pnpapi by itself. */
const APART = [
  ...['@inquirer/prompts', 'chokidar', 'csv-parse', 'fflate', 'htmlparser2', 'ora'],
  ...['typescript', 'ts-node', 'pnpapi'],
]

/** What is CommonJS in the bundle asks for these. */
const COMMONJS = [
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
    external: APART,
    banner: { js: `${COMMONJS};` },
    plugins: [
      loadedWhenCalled,
      {
        name: 'server-apart',
        setup({ onResolve }) {
          // By the name that package.json gives it: the bundle's files lie at different depths.
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

/** What oclif knows of the commands without loading them, beside them in `draft`/cli. */
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
  // oclif takes what lies in node_modules, as the draft does, for CommonJS.
  for (const command of Object.values(plugin.manifest.commands)) command.isESM = true
  writeFileSync(join(draft, 'cli', 'oclif.manifest.json'), JSON.stringify(plugin.manifest))
}

/**
 * Packages of one function that few runs call, though many modules import them: evaluated at the first call. A width is
 * known without the package for most texts, see src/cli/output/fast-width.ts.
 */
const loadedWhenCalled: Plugin = {
  name: 'loaded-when-called',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^(?:string-width|wrap-ansi)$/ }, async ({ path: name, kind, importer, resolveDir }) => {
      // oclif brings older versions, which are CommonJS and so evaluated late anyway.
      if (kind !== 'import-statement') return undefined
      const { path } = await resolve(name, { kind: 'require-call', importer, resolveDir })
      return { path, namespace: WHEN_CALLED, pluginData: name }
    })
    onLoad({ filter: /./, namespace: WHEN_CALLED }, ({ path, pluginData: name }) => {
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

/** The licences of the packages whose files are in the bundle, each as its package has it. */
function licenses(inputs: readonly string[]): string {
  const files = inputs.filter((path) => !path.startsWith(WHEN_CALLED))
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const named = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const said = named.map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...said].join('\n\n')
  })
  return `The command line holds code of these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
