import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entryFiles } from './entry-files.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const fileOf = (entry: string) => join(projectRoot, entryFiles.get(entry) ?? '');

/** An export of an entry: its declaration, and whether only its type is exported. */
export interface Exported {
  readonly symbol: ts.Symbol;
  readonly isType: boolean;
  /** The text of its `@deprecated` tag, such as its new place. */
  readonly deprecated: string | undefined;
}

/** The type-checked sources of the package. Types of other packages are unknown. */
export interface SourceProgram {
  readonly checker: ts.TypeChecker;
  /** The exports of an entry, by name. */
  exportsOf(entry: string): ReadonlyMap<string, Exported>;
}

/** Reads the sources, without the declarations of other packages: this takes one or two seconds instead of ten. */
export function sourceProgram(): SourceProgram {
  const options: ts.CompilerOptions = { noLib: true, types: [], module: ts.ModuleKind.NodeNext };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options, true),
    resolveModuleNameLiterals: (names, from) =>
      names.map(({ text }) => ({ resolvedModule: text.startsWith('.') ? beside(from, text) : undefined })),
  };
  const program = ts.createProgram([...entryFiles.keys()].map(fileOf), options, host);
  const checker = program.getTypeChecker();
  const exported = (symbol: ts.Symbol): Exported => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isNamedAsType = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) === true;
    const mark = target.valueDeclaration && ts.getJSDocDeprecatedTag(target.valueDeclaration);
    return {
      symbol: target,
      isType: isNamedAsType || (target.flags & ts.SymbolFlags.Value) === 0,
      deprecated: mark && ts.getTextOfJSDocComment(mark.comment),
    };
  };
  return {
    checker,
    exportsOf(entry) {
      const file = program.getSourceFile(fileOf(entry));
      const module = file && checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`${entry} is not an entry of the package`);
      return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, exported(symbol)]));
    },
  };
}

function beside(from: string, specifier: string): ts.ResolvedModuleFull {
  const resolvedFileName = join(dirname(from), specifier.replace(/\.js$/, '.ts'));
  return { resolvedFileName, extension: ts.Extension.Ts };
}
