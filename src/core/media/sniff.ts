/** The format of a file, by its first bytes. */
export interface MediaType {
  /** For instance `image/png`. */
  readonly type: string;
  /** The name of the format, for people. */
  readonly label: string;
}

const signatures: readonly (readonly [offset: number, bytes: readonly number[], type: string, label: string])[] = [
  [0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png', 'PNG image'],
  [0, [0xff, 0xd8, 0xff], 'image/jpeg', 'JPEG image'],
  [0, ascii('GIF8'), 'image/gif', 'GIF image'],
  [8, ascii('WEBP'), 'image/webp', 'WebP image'],
  [8, ascii('WAVE'), 'audio/wav', 'WAV audio'],
  [0, ascii('BM'), 'image/bmp', 'BMP image'],
  [0, ascii('%PDF-'), 'application/pdf', 'PDF document'],
  [0, [0x50, 0x4b, 3, 4], 'application/zip', 'ZIP archive or Office document'],
  [0, [0x1f, 0x8b], 'application/gzip', 'gzip archive'],
  [0, ascii('BZh'), 'application/x-bzip2', 'bzip2 archive'],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'application/x-xz', 'xz archive'],
  [0, [0x28, 0xb5, 0x2f, 0xfd], 'application/zstd', 'Zstandard archive'],
  [0, ascii('7z\xbc\xaf\x27\x1c'), 'application/x-7z-compressed', '7z archive'],
  [257, ascii('ustar'), 'application/x-tar', 'tar archive'],
  [0, [0x7f, 0x45, 0x4c, 0x46], 'application/x-elf', 'ELF program or library'],
  [0, ascii('MZ'), 'application/vnd.microsoft.portable-executable', 'Windows program or library'],
  [0, [0xcf, 0xfa, 0xed, 0xfe], 'application/x-mach-binary', 'macOS program or library'],
  [0, [0xca, 0xfe, 0xba, 0xbe], 'application/java-vm', 'Java class or macOS program'],
  [0, [0, 0x61, 0x73, 0x6d], 'application/wasm', 'WebAssembly module'],
  [0, ascii('SQLite format 3'), 'application/vnd.sqlite3', 'SQLite database'],
  [0, ascii('OggS'), 'audio/ogg', 'Ogg media'],
  [0, ascii('fLaC'), 'audio/flac', 'FLAC audio'],
  [0, ascii('ID3'), 'audio/mpeg', 'MP3 audio'],
  [4, ascii('ftyp'), 'video/mp4', 'MP4 media'],
  [0, [0x1a, 0x45, 0xdf, 0xa3], 'video/webm', 'WebM or Matroska media'],
  [0, ascii('wOF2'), 'font/woff2', 'WOFF2 font'],
  [0, ascii('wOFF'), 'font/woff', 'WOFF font'],
];

/** Recognises common binary formats by their first bytes; undefined for anything else. */
export function sniffMediaType(bytes: Uint8Array): MediaType | undefined {
  for (const [offset, signature, type, label] of signatures) {
    if (signature.every((byte, index) => bytes[offset + index] === byte)) return { type, label };
  }
  return undefined;
}

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
