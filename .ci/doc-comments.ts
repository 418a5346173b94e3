import ts from 'typescript';

/** A property of an object literal: its comment, and its own properties if its value is an object. */
export interface DocumentedProperty {
  readonly name: string;
  readonly comment: string;
  readonly properties: readonly DocumentedProperty[];
}

/**
 * Reads the doc comments inside the object that a source file exports as `name`, through `Object.freeze` and `as
 * const`.
 */
export function documentedProperties(source: string, name: string): readonly DocumentedProperty[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name);
  if (found?.initializer === undefined) throw new Error(`constant not found: ${name}`);
  return propertiesOf(found.initializer);
}

/** An exported type of a source file: its comment, and the members of an interface or the text of any other type. */
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

/** A member of a union: its comment, and its fields with their types, except for `type`, which identifies it. */
export interface DocumentedMember {
  readonly name: string;
  readonly comment: string;
  readonly fields: readonly (readonly [name: string, type: string])[];
}

/**
 * Reads the union that a source file exports as `name`. Its members are object types with different `type` fields, and
 * may extend interfaces of the file by `&`.
 */
export function documentedUnion(source: string, name: string): readonly DocumentedMember[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const union = file.statements
    .filter(ts.isTypeAliasDeclaration)
    .find((statement) => statement.name.text === name)?.type;
  if (union === undefined || !ts.isUnionTypeNode(union)) throw new Error(`union not found: ${name}`);
  return union.types.map((member, index) => {
    // In a union, the bar is between a comment and its type.
    const start = union.types[index - 1]?.end ?? union.pos;
    const fields = fieldsOf(member, file);
    const [comment = ''] = (ts.getLeadingCommentRanges(source, start) ?? []).map(({ pos, end }) =>
      source.slice(pos, end),
    );
    return {
      name: fields.find(([field]) => field === 'type')?.[1].slice(1, -1) ?? '',
      comment: comment
        .replace(/^\/\*\*|\s*\*\/$|^\s*\*(?!\/)/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
      fields: fields.filter(([field]) => field !== 'type'),
    };
  });
}

function fieldsOf(type: ts.TypeNode, file: ts.SourceFile): readonly (readonly [name: string, type: string])[] {
  if (ts.isParenthesizedTypeNode(type)) return fieldsOf(type.type, file);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((part) => fieldsOf(part, file));
  const members = ts.isTypeLiteralNode(type)
    ? type.members
    : file.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === type.getText())?.members;
  return [...(members ?? [])]
    .filter(ts.isPropertySignature)
    .map((field) => [
      `${field.name.getText()}${field.questionToken === undefined ? '' : '?'}`,
      field.type?.getText() ?? 'unknown',
    ]);
}

function isExportedType(statement: ts.Statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** The text of a node in one line, without its comments. */
export function oneLine(node: ts.Node): string {
  return node
    .getText()
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function propertiesOf(expression: ts.Expression): readonly DocumentedProperty[] {
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  ) {
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

/** The doc comment of a node in one line. */
export function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}
