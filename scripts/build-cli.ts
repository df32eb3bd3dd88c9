/**
 * Bundles the command line, as compiled in `draft`/src, into `draft`/cli, with the packages that every command starts
 * with: a command opens a few files instead of 250, of which oclif and what it brings are 190. The server's code keeps
 * its own files, and so do packages that few commands need.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Loaded from node_modules when a command needs them. oclif looks for typescript, ts-node and pnpapi by itself. */
const APART = [
  ...['@inquirer/prompts', 'chokidar', 'csv-parse', 'execa', 'fflate', 'htmlparser2', 'ora'],
  ...['typescript', 'ts-node', 'pnpapi'],
]

/** What is CommonJS in the bundle asks for these. */
const COMMONJS = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{dirname as __dirnameOf}from'node:path'",
  "import{fileURLToPath as __pathOf}from'node:url'",
  'const require=__createRequire(import.meta.url),__filename=__pathOf(import.meta.url),__dirname=__dirnameOf(__filename)',
].join(';')

/** @param draft absolute path of the folder with the compiled `src`; the names in the bundle are those in there */
export async function buildCli(draft: string): Promise<void> {
  const source = join(draft, 'src')
  const commands = readdirSync(join(source, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join('commands', name))
  const own = ['main.js', 'command-not-found.js', 'after-autocomplete.js'].map((name) => join('cli', name))
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
    nodePaths: [join(root, 'node_modules')],
    external: APART,
    banner: { js: `${COMMONJS};` },
    plugins: [
      {
        name: 'server-apart',
        setup({ onResolve }) {
          // By the name that package.json gives it: the bundle's files lie at different depths.
          onResolve({ filter: /^\.\.?\/.*\/server\// }, ({ path }) => ({
            path: path.replace(/^.*\/server\//, '#server/'),
            external: true,
          }))
        },
      },
    ],
  })
  writeFileSync(join(draft, 'cli', 'THIRD-PARTY-LICENSES.txt'), licenses(Object.keys(metafile.inputs)))
}

/** The licences of the packages whose files are in the bundle, each as its package has it. */
function licenses(inputs: readonly string[]): string {
  // What was compiled lies in node_modules as well, in a folder with a dot.
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*(?=\/)/.exec(path) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const said = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...said].join('\n\n')
  })
  return `The command line holds code of these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
