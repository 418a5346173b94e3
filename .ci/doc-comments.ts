import ts from 'typescript';

/** A property of an object literal: its comment, and its own properties where it holds an object. */
export interface DocumentedProperty {
  readonly name: string;
  readonly comment: string;
  readonly properties: readonly DocumentedProperty[];
}

/** Reads the doc comments inside the object that a source file exports as `name`, through `Object.freeze` and `as const`. */
export function documentedProperties(source: string, name: string): readonly DocumentedProperty[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name);
  if (found?.initializer === undefined) throw new Error(`no constant ${name} was found`);
  return propertiesOf(found.initializer);
}

/** A type that a source file exports: its comment, its text where it is no interface, and its members where it is one. */
export interface DocumentedType {
  readonly name: string;
  readonly comment: string;
  readonly alias: string | undefined;
  readonly members: readonly { readonly signature: string; readonly comment: string }[];
}

/** Reads the doc comments of all interfaces and type aliases that a source file exports. */
export function documentedTypes(source: string): readonly DocumentedType[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  return file.statements.filter(isExportedType).map((statement) => ({
    name: statement.name.text,
    comment: commentOf(statement),
    alias: ts.isTypeAliasDeclaration(statement) ? oneLine(statement.type) : undefined,
    members: ts.isInterfaceDeclaration(statement)
      ? statement.members.map((member) => ({
          signature: oneLine(member)
            .replace(/^readonly /, '')
            .replace(/;$/, ''),
          comment: commentOf(member),
        }))
      : [],
  }));
}

function isExportedType(statement: ts.Statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function oneLine(node: ts.Node): string {
  return node
    .getText()
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function propertiesOf(expression: ts.Expression): readonly DocumentedProperty[] {
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression)) {
    return propertiesOf(expression.expression);
  }
  if (ts.isCallExpression(expression)) return expression.arguments.flatMap(propertiesOf);
  if (!ts.isObjectLiteralExpression(expression)) return [];
  return expression.properties.filter(ts.isPropertyAssignment).map((property) => ({
    name: property.name.getText(),
    comment: commentOf(property),
    properties: propertiesOf(property.initializer),
  }));
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}
