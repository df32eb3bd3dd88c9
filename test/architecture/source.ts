import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import {
  type BindingPattern,
  type Declaration,
  type Expression,
  type ModuleExportName,
  type Node,
  parseSync,
  Visitor,
} from 'oxc-parser'

/**
 * The repository's own source files as a parser reads them. Paths are relative to the repository, with
 * forward slashes.
 */
export interface SourceFile {
  path: string
  lines: number
  imports: Import[]
  exports: Export[]
  /** Whether it holds a statement: sql`…` or `.unsafe(…)`. */
  sql: boolean
  /** Whether it is loaded only when something that it waits for is done. */
  waitsAtTopLevel: boolean
}

export interface Export {
  path: string
  name: string
  /** Functions, classes and constants; not types. */
  isValue: boolean
  usedInside: boolean
}

export interface Import {
  from: string
  /** A file of ours by its path, a package by its name as written. */
  to: string
  /** `import(…)`: loaded when it is called, not with the module. */
  dynamic: boolean
  /** `import type`, `typeof import(…)`: gone at run time. */
  typeOnly: boolean
  /** The names taken, as the other file exports them; `*` for all of them. */
  names: string[]
}

const root = join(import.meta.dirname, '../..')
const FOLDERS = ['bin', 'src', 'server', 'snippet', 'console', 'scripts', 'templates', 'training', 'bench', 'test']

export const sources: SourceFile[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|mjs)$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
    .map((name) => parse(join(root, folder, name))),
)

export const imports: Import[] = sources.flatMap((source) => source.imports)

function parse(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const path = relative(root, file).replaceAll(sep, '/')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found = { imports: [] as Import[], exports: new Map<string, boolean>(), sql: false, waits: false }
  let functions = 0
  const enter = () => void functions++
  const leave = () => void functions--
  const uses = new Map<string, number>()
  /** The `b` of `a.b` and of `{ b: c }`, which is no use of a `b` of the file. */
  const memberNames = new Set<Node>()
  const dynamicNames = new Map<Node, string[]>()
  const add = (specifier: Node, names: string[], dynamic: boolean, typeOnly: boolean) => {
    if (specifier.type !== 'Literal' || typeof specifier.value !== 'string') return
    const to = specifier.value.startsWith('.')
      ? relative(root, resolve(file, '..', specifier.value)).replaceAll(sep, '/')
      : specifier.value
    found.imports.push({ from: path, to, dynamic, typeOnly, names })
  }
  const visitor = new Visitor({
    ImportDeclaration(node) {
      const names = node.specifiers.map((one) => {
        if (one.type !== 'ImportSpecifier') return one.type === 'ImportDefaultSpecifier' ? 'default' : '*'
        memberNames.add(one.imported)
        return nameOf(one.imported)
      })
      add(node.source, names, false, node.importKind === 'type')
    },
    ImportExpression(node) {
      add(node.source, dynamicNames.get(node) ?? ['*'], true, false)
    },
    TSImportType({ source, qualifier }) {
      add(source, [qualifier ? (text.slice(qualifier.start, qualifier.end).split('.')[0] ?? '*') : '*'], false, true)
    },
    ExportNamedDeclaration({ declaration, specifiers, source, exportKind }) {
      for (const { local, exported } of specifiers) {
        if (exported !== local) memberNames.add(exported)
        found.exports.set(nameOf(exported), exportKind !== 'type')
      }
      const names = specifiers.map(({ local }) => nameOf(local))
      if (source) add(source, names, false, exportKind === 'type')
      const isValue = declaration?.type !== 'TSInterfaceDeclaration' && declaration?.type !== 'TSTypeAliasDeclaration'
      for (const name of declaration ? declaredNames(declaration) : []) found.exports.set(name, isValue)
    },
    ExportAllDeclaration({ source, exportKind }) {
      add(source, ['*'], false, exportKind === 'type')
    },
    ExportDefaultDeclaration() {
      found.exports.set('default', true)
    },
    VariableDeclarator({ id, init }) {
      if (!init || id.type !== 'ObjectPattern') return
      const names = id.properties.map((one) => (one.type === 'Property' ? text.slice(one.key.start, one.key.end) : '*'))
      dynamicNames.set(awaited(init), names)
    },
    MemberExpression(node) {
      if (node.computed) return
      memberNames.add(node.property)
      dynamicNames.set(awaited(node.object), [node.property.name])
    },
    Property({ key, computed }) {
      if (!computed) memberNames.add(key)
    },
    TaggedTemplateExpression({ tag }) {
      found.sql ||= lastName(tag) === 'sql'
    },
    CallExpression({ callee }) {
      found.sql ||= callee.type === 'MemberExpression' && lastName(callee) === 'unsafe'
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression() {
      found.waits ||= functions === 0
    },
    ForOfStatement(node) {
      found.waits ||= node.await && functions === 0
    },
    Identifier(node) {
      if (!memberNames.has(node)) uses.set(node.name, (uses.get(node.name) ?? 0) + 1)
    },
  })
  visitor.visit(program)
  return {
    path,
    lines: text.split('\n').length - 1,
    imports: found.imports,
    // The declaration itself is one use.
    exports: [...found.exports].map(([name, isValue]) => ({
      path,
      name,
      isValue,
      usedInside: (uses.get(name) ?? 0) > 1,
    })),
    sql: found.sql,
    waitsAtTopLevel: found.waits,
  }
}

function nameOf(name: ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

function lastName(tag: Expression): string {
  if (tag.type === 'Identifier') return tag.name
  return tag.type === 'MemberExpression' && !tag.computed ? tag.property.name : ''
}

/** `const { a, b: c } = await import(…)` and `(await import(…)).a` take names, anything else takes all. */
function awaited(expression: Expression): Expression {
  if (expression.type === 'AwaitExpression') return awaited(expression.argument)
  return expression.type === 'ParenthesizedExpression' ? awaited(expression.expression) : expression
}

function declaredNames(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => boundNames(id))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

function boundNames(pattern: BindingPattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left)
  const parts = pattern.type === 'ObjectPattern' ? pattern.properties : pattern.elements
  return parts.flatMap((part) => {
    if (!part) return []
    if (part.type === 'RestElement') return boundNames(part.argument)
    return boundNames(part.type === 'Property' ? part.value : part)
  })
}
