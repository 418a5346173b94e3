import ts from 'typescript';
import type { SourceProgram } from '../../.ci/source-program.js';

/**
 * The names of all types that callers of an entry use: those in the signatures of its functions, in the public members
 * of its types and classes, and in the types that these mention. Each name maps to the place that mentions it. A type
 * that its own file does not export is followed, but not named, because its members are shown where it is used.
 */
export function mentionedTypes({ checker, exportsOf }: SourceProgram, entry: string): ReadonlyMap<string, string> {
  const exported = exportsOf(entry);
  const constructed = new Set([...exported.values()].filter(({ isType }) => !isType).map(({ symbol }) => symbol));
  const seen = new Map<ts.Symbol, string>();

  const meet = (symbol: ts.Symbol, by: string): void => {
    if (seen.has(symbol) || symbol.flags & ts.SymbolFlags.TypeParameter) return;
    seen.set(symbol, by);
    for (const declaration of symbol.declarations ?? []) read(declaration, symbol);
  };
  const meetNamed = (name: ts.Node, by: ts.Symbol): void => {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol === undefined) return;
    meet(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol, by.name);
  };
  const read = (node: ts.Node, by: ts.Symbol): void => {
    if (isHidden(node)) return;
    if (ts.isConstructorDeclaration(node) && !constructed.has(by)) return;
    if (ts.isTypeReferenceNode(node)) meetNamed(node.typeName, by);
    if (ts.isTypeQueryNode(node)) meetNamed(node.exprName, by);
    if (ts.isExpressionWithTypeArguments(node)) meetNamed(node.expression, by);
    // A constant without a type counts with the functions in its value.
    if (ts.isVariableDeclaration(node) && node.type === undefined && node.initializer !== undefined)
      readValue(node.initializer, by);
    const isValue = (child: ts.Node) => 'initializer' in node && child === node.initializer;
    ts.forEachChild(node, (child) => (isValue(child) ? undefined : read(child, by)));
  };
  const readValue = (node: ts.Node, by: ts.Symbol): void => {
    if (ts.isFunctionLike(node)) read(node, by);
    else if (ts.isIdentifier(node)) meetNamed(node, by);
    else ts.forEachChild(node, (child) => readValue(child, by));
  };

  for (const { symbol } of exported.values()) meet(symbol, entry);
  return new Map([...seen].filter(([symbol]) => isNamedType(symbol)).map(([symbol, by]) => [symbol.name, by]));
}

/** The body of a function, and private members. */
function isHidden(node: ts.Node): boolean {
  return ts.isBlock(node) || (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

function isNamedType({ flags, declarations = [] }: ts.Symbol): boolean {
  const isExported = declarations.some(
    (one) => ts.isSourceFile(one.parent) && ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Export,
  );
  return (flags & ts.SymbolFlags.Type) !== 0 && isExported;
}
