import * as fc from 'fast-check';

/** A value that is written literally: a number format, or an unusual escape. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A cell of a sample notebook, its fields in order. */
export type SampleCell = readonly (readonly [name: string, value: unknown])[];

/** The layout of a sample notebook. */
export interface Format {
  /** Undefined writes everything on one line. */
  readonly indent: string | undefined;
  readonly lineBreak: '\n' | '\r\n';
  readonly comma: ',' | ', ';
  readonly colon: ':' | ': ';
  readonly isAscii: boolean;
  readonly mark: '' | '\ufeff';
  readonly end: string;
  /** Random white space around all tokens; overrides the indentation. */
  readonly noise: readonly string[];
}

/** A sample notebook. */
export interface Sample {
  readonly minor: number;
  readonly cells: readonly SampleCell[];
  readonly cellsFirst: boolean;
}

/** A notebook as text, with the positions of its list of cells and of each cell, in characters. */
export interface WrittenNotebook {
  readonly text: string;
  readonly list: readonly [start: number, end: number];
  readonly cells: readonly (readonly [start: number, end: number])[];
}

const letter = fc.constantFrom(...'ab \t\n"\\é👍\u2028\u001b\r/`{', '$&', '$1', '"id"');

/** Text of a cell. */
export const sourceText = fc.string({ unit: letter, maxLength: 12 });

const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const source = fc.oneof(sourceText, sourceText.map(lines));
const unusual = fc.constantFrom(
  ...[
    '1.0',
    '1e5',
    '12345678901234567890123',
    '-0',
    '"\\u00e9\\/"',
    '"\\u005b"',
    '{"a": 1,  "a": 2}',
    '[ ]',
    'true',
  ].map((text) => new Written(text)),
);
const metadata = fc
  .dictionary(fc.constantFrom('x', 'tags', 'é', '__proto__x'), unusual, { maxKeys: 2 })
  .map((record) => ({ ...record }));
const output = fc.record({ name: fc.constant('stdout'), output_type: fc.constant('stream'), text: source });

function cell(minor: number): fc.Arbitrary<SampleCell> {
  const id: fc.Arbitrary<readonly [string, unknown][]> =
    minor >= 5 ? fc.uuid().map((uuid) => [['id', uuid.slice(0, 8)] as [string, unknown]]) : fc.constant([]);
  const code = fc
    .tuple(id, fc.option(fc.nat(99), { nil: null }), metadata, fc.array(output, { maxLength: 2 }), source)
    .map(
      ([ids, count, meta, outputs, text]): SampleCell => [
        ['cell_type', 'code'],
        ['execution_count', count],
        ...ids,
        ['metadata', meta],
        ['outputs', outputs],
        ['source', text],
      ],
    );
  const attachments = fc.constantFrom<(readonly [string, unknown])[]>(
    [],
    [['attachments', { 'a.png': { 'image/png': new Written('"eA\\u003d="') } }]],
  );
  const other = fc
    .tuple(attachments, fc.constantFrom('markdown', 'raw'), id, metadata, source)
    .map(
      ([files, type, ids, meta, text]): SampleCell => [
        ...files,
        ['cell_type', type],
        ...ids,
        ['metadata', meta],
        ['source', text],
      ],
    );
  return fc.oneof(code, other);
}

/** Notebooks of all formats with cells of all types. Fields are in the order of their names, as Jupyter writes them. */
export const sampleNotebook: fc.Arbitrary<Sample> = fc.integer({ min: 0, max: 5 }).chain((minor) =>
  fc.record({
    minor: fc.constant(minor),
    cells: fc.uniqueArray(cell(minor), {
      maxLength: 4,
      selector: (fields) => fields.find(([name]) => name === 'id')?.[1] ?? fields,
    }),
    cellsFirst: fc.boolean(),
  }),
);

/** All usual layouts of a notebook. */
export const usualFormat: fc.Arbitrary<Format> = fc.record({
  indent: fc.constantFrom(undefined, '', ' ', '  ', '    ', '\t'),
  lineBreak: fc.constantFrom('\n' as const, '\r\n' as const),
  comma: fc.constantFrom(',' as const, ', ' as const),
  colon: fc.constantFrom(':' as const, ': ' as const),
  isAscii: fc.boolean(),
  mark: fc.constantFrom('' as const, '\ufeff' as const),
  end: fc.constantFrom('', '\n', '\r\n', '\n\n'),
  noise: fc.constant([]),
});

/** A layout that is valid JSON but that no program writes. */
export const unusualFormat: fc.Arbitrary<Format> = fc
  .tuple(usualFormat, fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n\t', '  '), { minLength: 1, maxLength: 40 }))
  .map(([format, noise]) => ({ ...format, noise }));

/** Writes a notebook. */
export function writeNotebook({ minor, cells, cellsFirst }: Sample, format: Format): WrittenNotebook {
  const writer = new Writer(format);
  const rest: [string, unknown][] = [
    ['metadata', { language_info: { name: 'julia' }, title: 'é', rank: new Written('1.50') }],
    ['nbformat', 4],
    ['nbformat_minor', minor],
  ];
  const list: [string, unknown] = ['cells', cells.map((fields) => new Map(fields))];
  writer.write(new Map(cellsFirst ? [list, ...rest] : [...rest, list]), 0, '');
  return writer.result();
}

class Writer {
  readonly #format: Format;
  #text: string;
  #noiseAt = 0;
  readonly #cells: [number, number][] = [];
  #list: [number, number] = [0, 0];

  constructor(format: Format) {
    this.#format = format;
    this.#text = format.mark;
  }

  result(): WrittenNotebook {
    return { text: this.#text + this.#format.end, list: this.#list, cells: this.#cells };
  }

  write(value: unknown, depth: number, path: string): void {
    const start = this.#text.length;
    if (value instanceof Written) this.#text += value.text;
    else if (Array.isArray(value))
      this.#container(
        '[',
        value.map((item) => () => this.write(item, depth + 1, `${path}/`)),
        ']',
        depth,
      );
    else if (typeof value === 'object' && value !== null) this.#object(value, depth, path);
    else this.#text += typeof value === 'string' ? this.#string(value) : JSON.stringify(value);
    if (path === '/cells') this.#list = [start, this.#text.length];
    if (path === '/cells/') this.#cells.push([start, this.#text.length]);
  }

  #object(value: object, depth: number, path: string): void {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    const parts = entries.map(([name, entry]: [string, unknown]) => () => {
      this.#text += `${this.#string(name)}${this.#noise()}${this.#format.colon}${this.#noise()}`;
      this.write(entry, depth + 1, `${path}/${name}`);
    });
    this.#container('{', parts, '}', depth);
  }

  #container(open: string, parts: readonly (() => void)[], close: string, depth: number): void {
    this.#text += open;
    parts.forEach((part, index) => {
      if (index > 0) this.#text += this.#comma();
      this.#text += this.#space(depth + 1);
      part();
    });
    this.#text += (parts.length > 0 ? this.#space(depth) : '') + close;
  }

  #comma(): string {
    const { indent, comma, noise } = this.#format;
    return noise.length > 0 ? `${this.#noise()},` : indent === undefined ? comma : ',';
  }

  #space(depth: number): string {
    const { indent, lineBreak, noise } = this.#format;
    if (noise.length > 0) return this.#noise();
    return indent === undefined ? '' : lineBreak + indent.repeat(depth);
  }

  #noise(): string {
    const { noise } = this.#format;
    return noise.length === 0 ? '' : (noise[this.#noiseAt++ % noise.length] ?? '');
  }

  #string(text: string): string {
    const json = JSON.stringify(text);
    if (!this.#format.isAscii) return json;
    return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
}
