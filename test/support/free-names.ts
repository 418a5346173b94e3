import ts from 'typescript';

/**
 * The names of values that a file uses and does not declare: globals of the platform. A use of a member is
 * `Math.random`, and `new Date()` without a time is `Date.now`, since it reads the clock too. Scopes are not told apart:
 * a name that is declared anywhere in the file is not free.
 */
export function freeNames(file: ts.SourceFile): ReadonlySet<string> {
  const declared = new Set<string>();
  const used = new Map<string, Set<string>>();

  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || isType(node)) return;
    const name = isDeclaration(node) ? node.name : undefined;
    if (name !== undefined && ts.isIdentifier(name)) declared.add(name.text);
    if (ts.isIdentifier(node) && isUse(node)) {
      const uses = used.get(node.text) ?? new Set();
      used.set(node.text, uses.add(useOf(node)));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return new Set([...used].flatMap(([name, uses]) => (declared.has(name) ? [] : [...uses])));
}

function isType(node: ts.Node): boolean {
  if (!ts.isExpressionWithTypeArguments(node)) return ts.isTypeNode(node);
  const clause = node.parent;
  return ts.isHeritageClause(clause) && clause.token !== ts.SyntaxKind.ExtendsKeyword;
}

type Declaration = ts.NamedDeclaration | ts.ImportClause;

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isClassLike(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node)
  );
}

/** Whether an identifier stands for a value: not for a member, a field, a declaration or a label. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if ('name' in parent && parent.name === node) return false;
  return !(
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isMetaProperty(parent) ||
    ts.isLabeledStatement(parent) ||
    ts.isBreakOrContinueStatement(parent)
  );
}

function useOf(node: ts.Identifier): string {
  const { parent, text } = node;
  if (ts.isPropertyAccessExpression(parent)) return `${text}.${parent.name.text}`;
  const readsClock = ts.isNewExpression(parent) ? !parent.arguments?.length : ts.isCallExpression(parent);
  return text === 'Date' && readsClock ? 'Date.now' : text;
}
