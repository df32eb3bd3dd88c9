import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'

/**
 * The repository's own source files as the compiler's parser reads them. Paths are relative to the repository, with
 * forward slashes.
 */
export interface SourceFile {
  path: string
  lines: number
  imports: Import[]
  exports: Export[]
  /** Whether it holds a statement: sql`…` or `.unsafe(…)`. */
  sql: boolean
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
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const source: SourceFile = {
    path,
    lines: text.split('\n').length - 1,
    imports: [],
    exports: [],
    sql: false,
  }
  const exported = new Map<string, boolean>()
  const uses = new Map<string, number>()
  const add = (specifier: ts.Node | undefined, names: string[], dynamic: boolean, typeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const to = specifier.text.startsWith('.')
      ? relative(root, resolve(file, '..', specifier.text)).replaceAll(sep, '/')
      : specifier.text
    source.imports.push({ from: path, to, dynamic, typeOnly, names })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, importedNames(node.importClause), false, node.importClause?.isTypeOnly ?? false)
    } else if (ts.isExportDeclaration(node)) {
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause)
          ? node.exportClause.elements.map((element) => ({
              there: (element.propertyName ?? element.name).text,
              here: element.name.text,
            }))
          : undefined
      add(node.moduleSpecifier, names?.map(({ there }) => there) ?? ['*'], false, node.isTypeOnly)
      for (const { here } of names ?? []) exported.set(here, !node.isTypeOnly)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], dynamicNames(node), true, false)
    } else if (ts.isImportTypeNode(node)) {
      const name = node.qualifier ? node.qualifier.getText(tree).split('.')[0] : undefined
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, [name ?? '*'], false, true)
    } else if (ts.isExportAssignment(node)) {
      exported.set('default', true)
    } else if (ts.isTaggedTemplateExpression(node)) {
      source.sql ||= lastName(node.tag) === 'sql'
    } else if (ts.isPropertyAccessExpression(node)) {
      source.sql ||= node.name.text === 'unsafe' && ts.isCallExpression(node.parent)
    }
    if (ts.isSourceFile(node.parent) && has(node, ts.SyntaxKind.ExportKeyword)) {
      const isValue = !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)
      for (const name of declaredNames(node)) exported.set(name, isValue)
    }
    if (ts.isIdentifier(node) && !isMemberName(node)) uses.set(node.text, (uses.get(node.text) ?? 0) + 1)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(tree, visit)
  // The declaration itself is one.
  source.exports = [...exported].map(([name, isValue]) => ({
    path,
    name,
    isValue,
    usedInside: (uses.get(name) ?? 0) > 1,
  }))
  return source
}

function lastName(tag: ts.Expression): string {
  if (ts.isIdentifier(tag)) return tag.text
  return ts.isPropertyAccessExpression(tag) ? tag.name.text : ''
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (!clause) return []
  const bindings = clause.namedBindings
  return [
    ...(clause.name ? ['default'] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? ['*'] : []),
    ...(bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
      : []),
  ]
}

/** `const { a, b: c } = await import(…)` and `(await import(…)).a` take names, anything else takes all. */
function dynamicNames(call: ts.CallExpression): string[] {
  let node: ts.Node = call.parent
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent
  if (ts.isPropertyAccessExpression(node)) return [node.name.text]
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    return node.name.elements.map((element) => (element.propertyName ?? element.name).getText())
  }
  return ['*']
}

function has(node: ts.Node, modifier: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === modifier)
}

/** The `b` of `a.b` and of `{ b: c }`, which is no use of a `b` of the file. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node
}

function declaredNames(node: ts.Node): string[] {
  if (has(node, ts.SyntaxKind.DefaultKeyword)) return ['default']
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements.flatMap((element) => (ts.isBindingElement(element) ? [element.name.getText()] : [])),
    )
  }
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  return named && node.name ? [node.name.text] : []
}
