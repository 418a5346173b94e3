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
    .replace(/\s+/g, ' ')
    .trim();
}
