import ts from 'typescript';
import { freeNames } from './free-names.js';

/** The kind of an import: of types only, of values at load, or of values on first use. */
export type ImportKind = 'type' | 'static' | 'lazy';

/** An import from another file or package. */
export interface ImportFact {
  readonly specifier: string;
  readonly kind: ImportKind;
  /** `export … from`: a re-export. */
  readonly isExport: boolean;
  /** `export * from`. */
  readonly isStar: boolean;
}

/** The facts about a source file for the architecture rules. */
export interface SourceFacts {
  readonly imports: readonly ImportFact[];
  /** Whether it exports only types. */
  readonly exportsTypesAlone: boolean;
  /** The globals that it uses, and their members, such as `process.cwd`. */
  readonly globals: ReadonlySet<string>;
  /** Its imports, references and declarations that name another module in a form that the rules do not follow. */
  readonly hiddenImports: readonly string[];
  /** Names that it imports and exports in two statements. */
  readonly passedOn: readonly string[];
  /** Uses of `createRequire`, `import.meta` and `getBuiltinModule`, which find no files in a bundle. */
  readonly looksBeside: readonly string[];
  readonly lines: number;
  /** String literals, the beginnings of templates, and names of properties with a value. */
  readonly literals: readonly string[];
  /** All identifiers, and all lines of comments. */
  readonly words: readonly string[];
}

/** Reads the syntax of a TypeScript file, without resolving names. */
export function sourceFacts(text: string): SourceFacts {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const imports: ImportFact[] = [];
  const looksBeside = new Set<string>();
  const literals = new Set<string>();
  const words = new Set<string>(text.match(/^ *(?:\/\/|\/?\*).*$/gm));
  const hiddenImports = [...file.referencedFiles, ...file.typeReferenceDirectives, ...file.libReferenceDirectives].map(
    ({ fileName }) => `/// <reference> of ${fileName}`,
  );
  const [imported, exported] = [new Set<string>(), new Set<string>()];

  const visit = (node: ts.Node): void => {
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) looksBeside.add('import.meta');
    if (
      ts.isIdentifier(node) &&
      ['createRequire', 'getBuiltinModule', 'require', '__dirname', '__filename'].includes(node.text)
    ) {
      looksBeside.add(node.text);
    }
    // A program in a string, for a thread or a process, counts too.
    if (ts.isStringLiteralLike(node))
      for (const [found] of node.text.matchAll(/createRequire(?=\()|getBuiltinModule(?=\()|import\.meta/g))
        looksBeside.add(found);
    if ((ts.isStringLiteralLike(node) && !isOfImport(node)) || ts.isTemplateHead(node)) literals.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) literals.add(node.name.text);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) words.add(node.text);
    const fact = importFact(node);
    if (fact !== undefined) imports.push(fact);
    const hidden = hiddenImport(node);
    if (hidden !== undefined) hiddenImports.push(hidden);
    if (ts.isImportClause(node) || ts.isImportSpecifier(node) || ts.isNamespaceImport(node))
      if (node.name !== undefined) imported.add(node.name.text);
    if (ts.isExportSpecifier(node) && node.parent.parent.moduleSpecifier === undefined)
      exported.add((node.propertyName ?? node.name).text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    imports,
    exportsTypesAlone: file.statements.every(isTypeOrNoExport),
    globals: freeNames(file),
    hiddenImports,
    passedOn: [...exported].filter((name) => imported.has(name)),
    looksBeside: [...looksBeside],
    lines: text.replace(/\n$/, '').split('\n').length,
    literals: [...literals],
    words: [...words],
  };
}

/** An import of a computed name, `import x = require()`, or a declaration of another module or of globals. */
function hiddenImport(node: ts.Node): string | undefined {
  if (ts.isImportEqualsDeclaration(node)) return `import ${node.name.text} =`;
  if (ts.isModuleDeclaration(node) && (ts.isStringLiteral(node.name) || node.name.text === 'global'))
    return `declare ${node.name.getText()}`;
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  const [name] = node.arguments;
  return name !== undefined && ts.isStringLiteralLike(name) ? undefined : 'import() of a computed name';
}

function isOfImport({ parent }: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}

function isTypeOrNoExport(statement: ts.Statement): boolean {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return isType || !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function importFact(node: ts.Node): ImportFact | undefined {
  if (ts.isImportDeclaration(node))
    return fact(node.moduleSpecifier, isTypeImport(node.importClause) ? 'type' : 'static');
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const names =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    const isType = node.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
    const isStar = node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
    return { ...fact(node.moduleSpecifier, isType ? 'type' : 'static'), isExport: true, isStar };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return fact(node.argument.literal, 'type');
  if (ts.isCallExpression(node)) {
    const [argument] = node.arguments;
    if (argument === undefined || !ts.isStringLiteralLike(argument)) return undefined;
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return fact(argument, 'lazy');
  }
  return undefined;
}

function fact(specifier: ts.Node, kind: ImportKind): ImportFact {
  return {
    specifier: ts.isStringLiteralLike(specifier) ? specifier.text : specifier.getText(),
    kind,
    isExport: false,
    isStar: false,
  };
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  if (clause.name !== undefined || names === undefined || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}
