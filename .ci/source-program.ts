import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entryFiles } from './entry-files.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const fileOf = (entry: string) => join(projectRoot, entryFiles.get(entry) ?? '');

/** Something that an entry exports: where it is declared, and whether its type alone is exported. */
export interface Exported {
  readonly symbol: ts.Symbol;
  readonly isType: boolean;
  /** What its mark as deprecated says, such as where it is now. */
  readonly deprecated: string | undefined;
}

/** The sources of the package with their names resolved. What they import from other packages stays unknown. */
export interface SourceProgram {
  readonly checker: ts.TypeChecker;
  /** What an entry exports, by name. */
  exportsOf(entry: string): ReadonlyMap<string, Exported>;
}

/** Reads the sources. Without the declarations of other packages that takes one or two seconds in place of ten. */
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
      if (module === undefined) throw new Error(`${entry} is no entry of the package`);
      return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, exported(symbol)]));
    },
  };
}

function beside(from: string, specifier: string): ts.ResolvedModuleFull {
  const resolvedFileName = join(dirname(from), specifier.replace(/\.js$/, '.ts'));
  return { resolvedFileName, extension: ts.Extension.Ts };
}
