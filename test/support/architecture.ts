import { posix } from 'node:path';
import { type ImportFact, type SourceFacts, sourceFacts } from './source-facts.js';

/** The rules in the README.md of a folder. */
export interface FolderRules {
  /** The other folders that it may import. */
  readonly imports: readonly string[];
  /**
   * Its layers, lowest first, by their path inside the folder; `.` means the files directly in it. A layer may import
   * the previous ones. Empty if the layers are independent.
   */
  readonly layers: readonly string[];
  /** Its layers that do no I/O. */
  readonly pure: readonly string[];
}

/** The rules of the architecture. */
export interface HouseRules {
  /** The rules of each folder of src, from its README.md; `.` means the files directly in src. */
  readonly folders: Readonly<Record<string, FolderRules>>;
  /**
   * The file that imports each package, or one file in each folder that does. Files in the same folder may import its
   * types. `zod` may be imported everywhere.
   */
  readonly vendorHomes: Readonly<Record<string, string | readonly string[]>>;
  /** The globals that layers without I/O may use, and the modules of Node that they may import. */
  readonly pureGlobals: readonly string[];
  /** Uses of the platform in layers without I/O (a global, a member or a module of Node), with the files that may. */
  readonly platformHomes: Readonly<Record<string, readonly string[]>>;
  /** The file that imports packages by a computed name. */
  readonly computedImports: string;
  /** Entries of the package: the only files that re-export. */
  readonly entries: readonly string[];
  /**
   * Names of tools. No file outside {@link toolHomes} may contain them, because tools declare all facts that others
   * need.
   */
  readonly toolNames: readonly string[];
  /**
   * The files that may contain names of tools: their folder, the table of their facts, and the mapping of native types.
   */
  readonly toolHomes: readonly string[];
  /** Unusual words for which standard terms exist. */
  readonly privateWords: RegExp;
  readonly maxLines: number;
}

interface House {
  readonly rules: HouseRules;
  readonly files: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, SourceFacts>;
}

/** All violations of the rules in a tree (path relative to the project → text), one line each. */
export function violations(files: ReadonlyMap<string, string>, rules: HouseRules): string[] {
  const sources = new Map<string, SourceFacts>();
  for (const [path, text] of files)
    if (path.startsWith('src/') && path.endsWith('.ts')) sources.set(path, sourceFacts(text));
  const house = { rules, files, sources };
  const found = [...sources].flatMap(([path, facts]) => [
    ...facts.imports.flatMap((fact) => importViolations(path, fact, house)),
    ...reExports(path, facts, house),
    ...toolNames(path, facts, rules),
    ...longFile(path, facts, rules),
    ...repeatedFolder(path),
    ...privateWords([path, ...facts.words], rules).map((word) => `${path} says ${word}; say it in the field's words`),
    ...facts.looksBeside.map((name) => `${path} uses ${name}, which finds nothing in a bundle; import what it needs`),
    ...impureUses(path, facts, rules),
    ...facts.hiddenImports
      .filter((form) => !(form.startsWith('import()') && path === rules.computedImports))
      .map((form) => `${path} hides an import from this check: ${form}`),
    ...(path === 'src/bin.ts' ? [] : [...facts.globals].filter(isConsole).map(() => `${path} writes to the console`)),
  ]);
  return [...found, ...cycles(house)];
}

const isConsole = (use: string) => use.split('.')[0] === 'console';

/** Uses of globals that may do I/O, read the clock or give random values, in a layer without I/O. */
function impureUses(path: string, { globals }: SourceFacts, rules: HouseRules): string[] {
  if (!rulesOf(path, rules).pure.includes(layerOf(path))) return [];
  return [...globals]
    .filter((use) => {
      const homes = rules.platformHomes[use];
      return homes === undefined ? !rules.pureGlobals.includes(use.split('.')[0] ?? '') : !homes.includes(path);
    })
    .map((use) => `${path} uses ${use}, but its layer does no I/O`);
}

/** The unusual words in names and lines. Parts of camel-case names count as words. */
export function privateWords(texts: readonly string[], rules: Pick<HouseRules, 'privateWords'>): string[] {
  const plain = texts.join('\n').replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return [...new Set(plain.match(rules.privateWords))];
}

/** A text that is the name of a tool, a list of such names, or the beginning of a rule for a tool. */
function toolNames(path: string, { literals }: SourceFacts, rules: HouseRules): string[] {
  if (rules.toolHomes.some((home) => path.startsWith(home))) return [];
  const form = new RegExp(`^(?:(?:${rules.toolNames.join('|')})(?:[ ,|]+|\\(|$))+$`);
  return literals
    .filter((text) => form.test(text))
    .map((text) => `${path} goes by the name ${JSON.stringify(text)}; let the tool state what it has to know`);
}

function longFile(path: string, { lines }: SourceFacts, { maxLines }: HouseRules): string[] {
  return lines > maxLines ? [`${path} has ${lines} lines, more than ${maxLines}`] : [];
}

/** A file whose name begins with the name of its folder, in the singular or the plural: `edit/edit-exact.ts`. */
function repeatedFolder(path: string): string[] {
  const [file = '', folder = ''] = path.split('/').reverse();
  return file.startsWith(`${folder}-`) || file.startsWith(`${folder.replace(/s$/, '')}-`)
    ? [`${path} repeats the name of its folder`]
    : [];
}

function importViolations(path: string, fact: ImportFact, house: House): string[] {
  const { specifier } = fact;
  const folder = rulesOf(path, house.rules);
  if (specifier.startsWith('.')) return folderViolations(path, specifier, house);
  if (specifier.startsWith('node:')) {
    const { pureGlobals, platformHomes } = house.rules;
    const isPure = pureGlobals.includes(specifier) || platformHomes[specifier]?.includes(path) === true;
    return isPure || fact.kind === 'type' || !folder.pure.includes(layerOf(path))
      ? []
      : [`${path} imports ${specifier}, but its layer does no I/O`];
  }
  return vendorViolations(path, fact, house.rules);
}

function folderViolations(path: string, specifier: string, { rules, sources }: House): string[] {
  const target = resolveImport(path, specifier);
  if (!sources.has(target)) return [`${path} imports ${specifier}, which is no file of src`];
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to) return layerViolations(path, target, rules);
  if (from === '.' || rulesOf(path, rules).imports.includes(to)) return [];
  return [`${path} imports ${target}: ${from} may not know ${to}`];
}

function layerViolations(path: string, target: string, rules: HouseRules): string[] {
  const order = rulesOf(path, rules).layers;
  if (order.length === 0)
    return layerOf(path) === layerOf(target) ? [] : [`${path} imports ${target} of another layer`];
  const [from, to] = [order.indexOf(layerOf(path)), order.indexOf(layerOf(target))];
  if (from === -1) return [`${path} is in a layer that its README.md does not name: ${layerOf(path)}`];
  return to <= from ? [] : [`${path} imports ${target}: ${order[from]} may not know ${order[to]}`];
}

function vendorViolations(path: string, { specifier, kind }: ImportFact, { vendorHomes }: HouseRules): string[] {
  const vendor = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (vendor === 'zod')
    return specifier.startsWith('zod/v4')
      ? []
      : [`${path} imports ${specifier}: built-in schemas are written with zod/v4`];
  const homes = [vendorHomes[vendor] ?? []].flat();
  if (homes.length === 0) return [`${path} imports ${specifier}, which has no home`];
  const isAtHome = homes.some((home) => (kind === 'type' ? path.startsWith(`${posix.dirname(home)}/`) : path === home));
  return isAtHome ? [] : [`${path} imports ${specifier}, whose home is ${homes.join(' or ')}`];
}

function reExports(path: string, { imports, passedOn }: SourceFacts, { rules, sources }: House): string[] {
  const inTwoSteps = rules.entries.includes(path) ? [] : passedOn.map((name) => `${path} re-exports ${name}`);
  const direct = imports
    .filter(({ isExport, isStar, kind, specifier }) => {
      const isEntry = rules.entries.includes(path);
      const target = resolveImport(path, specifier);
      // The root entry may re-export the types of the core entry, and an entry all types of a file. Other exports are
      // named.
      const isWhole = rules.entries.includes(target) || sources.get(target)?.exportsTypesAlone === true;
      return isStar ? !(isEntry && isWhole && kind === 'type') : isExport && !isEntry;
    })
    .map(({ specifier, isStar }) => `${path} ${isStar ? 'exports *' : 're-exports'} from ${specifier}`);
  return [...inTwoSteps, ...direct];
}

/** Cycles of value imports, also on first use, each reported once. Type imports may be cyclic. */
function cycles({ sources }: House): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.add(`circular import: ${[...trail.slice(start), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { specifier } of sources.get(path)?.imports ?? []) {
      if (specifier.startsWith('.')) walk(resolveImport(path, specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of sources.keys()) walk(path, []);
  return [...found];
}

function resolveImport(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

function folderOf(path: string): string {
  const [, folder = '', file] = path.split('/');
  return file === undefined ? '.' : folder;
}

/** The path of a file inside its folder of src. */
function layerOf(path: string): string {
  return posix.dirname(path).split('/').slice(2).join('/') || '.';
}

function rulesOf(path: string, { folders }: HouseRules): FolderRules {
  const folder = folders[folderOf(path)];
  if (folder === undefined)
    throw new Error(`src/${folderOf(path)} has no README.md with the folders that it may import`);
  return folder;
}

/**
 * Reads the rules in the README.md of a folder of src. A name may have an explanation in brackets. `layers` are the
 * existing ones.
 */
export function readFolderRules(text: string, layers: readonly string[]): FolderRules {
  const list = (label: string) => {
    const [, line] = new RegExp(`^- ${label}: (.*(?:\\n  .*)*)`, 'm').exec(text) ?? [];
    const names = line?.replaceAll(/\s*\([^)]*\)/g, '').split(/,\s+/);
    return names?.map((name) => (name === 'this folder' ? '.' : name));
  };
  const order = list('Layers, lowest first') ?? ['.'];
  const pure = list('Without I/O') ?? [];
  return {
    imports: (list('May import') ?? []).filter((name) => name !== 'nothing'),
    layers: list('Layers') === undefined ? order : [],
    pure: pure[0] === 'all' ? layers : pure,
  };
}

/** Folders that import each other, also indirectly. */
export function folderCircles(folders: Readonly<Record<string, FolderRules>>): string[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (folders[from]?.imports ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return Object.keys(folders).filter((name) => reaches(name, name, new Set()));
}
