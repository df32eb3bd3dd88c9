import { existsSync } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { CliError, usageError } from '../cli/errors/cli-error.ts'
import { codeOf } from '../contract/code-of.ts'
import { makeFolder } from '../make-folder.ts'

const TEMPLATES: Record<string, { files: string[]; next: string }> = {
  docker: {
    files: ['Dockerfile', 'compose.yaml', 'compose.env.example'],
    next: 'copy compose.env.example to .env, fill in the two secrets and anything else you want to set, then run: docker compose up -d',
  },
  systemd: {
    files: ['pullquote.service', '.env.example'],
    next: 'copy the unit to /etc/systemd/system/ and enable it; put settings from .env.example into /var/lib/pullquote/config.env',
  },
  caddy: { files: ['Caddyfile'], next: 'put your host name into the Caddyfile, and set PULLQUOTE_PUBLIC_URL' },
  nginx: { files: ['nginx.conf'], next: 'put your host name and certificates into it, and set PULLQUOTE_PUBLIC_URL' },
  'nginx-cache': {
    files: ['nginx-cache.conf'],
    next: 'put it into sites-enabled, point your proxy at 127.0.0.1:8788, and set PULLQUOTE_SHARED_CACHE_SECONDS',
  },
  env: { files: ['.env.example'], next: 'copy it to config.env in PULLQUOTE_HOME and set what you need' },
}
const NAMES = Object.keys(TEMPLATES)

export default class Init extends BaseCommand {
  static override description = `Writes files for running the server: ${NAMES.join(', ')}.

Existing files are left as they are, unless you give --force.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> docker',
    '<%= config.bin %> <%= command.id %> systemd caddy --dir deploy',
  ]
  static override strict = false
  static override args = {
    template: Args.string({ ignoreStdin: true, description: NAMES.join(', '), required: true, options: NAMES }),
  }
  static override flags = {
    dir: Flags.string({ description: 'folder to write to', default: '.', helpValue: 'DIR' }),
    force: Flags.boolean({ description: 'replace existing files', default: false }),
  }

  async run(): Promise<{ written: string[]; kept: string[] }> {
    const { argv, flags } = await this.parse(Init)
    const chosen = [...new Set(argv.map(String))].map((name) => {
      const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
      if (!template) throw usageError(`there is no template "${name}"`, `there are: ${NAMES.join(', ')}`)
      return template
    })
    await makeFolder(flags.dir).catch((error: unknown) => {
      const code = codeOf(error)
      const why = code === undefined ? '' : ` (${code})`
      throw new CliError(`the folder ${flags.dir} cannot be created${why}; nothing was written`, {
        code: 'no_folder',
        hints: ['choose another one with --dir'],
      })
    })
    const templates = deployTemplates(this.config.root)
    const written: string[] = []
    const kept: string[] = []
    const files = new Set(chosen.flatMap((template) => template.files))
    for (const file of files) {
      const target = join(flags.dir, file)
      if (!flags.force && existsSync(target)) kept.push(target)
      else {
        await copyFile(join(templates, file), target)
        // The mode is copied too, and an installed package's files may be read-only.
        await chmod(target, 0o644)
        written.push(target)
      }
    }
    for (const path of written) this.log(`Wrote ${path}`)
    for (const path of kept) this.info(`Kept ${path}, which already exists; --force replaces it.`)
    for (const { next, files } of chosen) this.info(`Next (${basename(files[0] ?? '')}): ${next}`)
    return { written, kept }
  }
}

/** The path of `templates/deploy`; oclif's root is `dist/cli` in a build and the repository in a checkout. */
function deployTemplates(root: string): string {
  const folders = [root, join(root, '..', '..')].map((folder) => join(folder, 'templates', 'deploy'))
  return folders.find((folder) => existsSync(folder)) ?? root
}
