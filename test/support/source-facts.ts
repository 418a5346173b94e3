import ts from 'typescript';

/** How a file refers to another: for its types alone, for values when it is loaded, or for values on first use. */
export type ImportKind = 'type' | 'static' | 'lazy';

/** One reference from a file to another file or package. */
export interface ImportFact {
  readonly specifier: string;
  readonly kind: ImportKind;
  /** `export … from`: a re-export. */
  readonly isExport: boolean;
  /** `export * from`. */
  readonly isStar: boolean;
}

/** What the rules of the house need to know of a source file. */
export interface SourceFacts {
  readonly imports: readonly ImportFact[];
  /** Whether it exports types and nothing else. */
  readonly exportsTypesAlone: boolean;
  readonly usesConsole: boolean;
  /**
   * What it looks for beside itself: `createRequire`, `import.meta`, `getBuiltinModule`; a bundle has nothing there.
   */
  readonly looksBeside: readonly string[];
  readonly lines: number;
  /** Texts, the beginnings of templates, and names of properties that have a value. */
  readonly literals: readonly string[];
  /** Every identifier in it, and every line of a comment that stands by itself. */
  readonly words: readonly string[];
}

/** Reads a TypeScript file's syntax; nothing is resolved. */
export function sourceFacts(text: string): SourceFacts {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const imports: ImportFact[] = [];
  const looksBeside = new Set<string>();
  const literals = new Set<string>();
  const words = new Set<string>(text.match(/^ *(?:\/\/|\/?\*).*$/gm));
  let usesConsole = false;

  const visit = (node: ts.Node): void => {
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) looksBeside.add('import.meta');
    if (
      ts.isIdentifier(node) &&
      ['createRequire', 'getBuiltinModule', 'require', '__dirname', '__filename'].includes(node.text)
    ) {
      looksBeside.add(node.text);
    }
    // A program in a text, for a thread or a process, looks too.
    if (ts.isStringLiteralLike(node))
      for (const [found] of node.text.matchAll(/createRequire(?=\()|getBuiltinModule(?=\()|import\.meta/g))
        looksBeside.add(found);
    if ((ts.isStringLiteralLike(node) && !isOfImport(node)) || ts.isTemplateHead(node)) literals.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) literals.add(node.name.text);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) words.add(node.text);
    const fact = importFact(node);
    if (fact !== undefined) imports.push(fact);
    if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'console') usesConsole = true;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    imports,
    exportsTypesAlone: file.statements.every(isTypeOrNoExport),
    usesConsole,
    looksBeside: [...looksBeside],
    lines: text.replace(/\n$/, '').split('\n').length,
    literals: [...literals],
    words: [...words],
  };
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
