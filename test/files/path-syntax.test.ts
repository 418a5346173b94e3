import { ToolError } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { absolutePath } from '../../src/files/paths/syntax.js';
import { eachRow, table } from '../support/each-row.js';

const posix = { root: '/ws', relativePaths: 'reject', platform: 'linux' } as const;
const windows = { root: 'C:\\ws', relativePaths: 'reject', platform: 'win32' } as const;

function codeOf(path: string, form: Parameters<typeof absolutePath>[1]): string {
  try {
    return absolutePath(path, form);
  } catch (thrown) {
    if (ToolError.is(thrown)) return thrown.code;
    throw thrown;
  }
}

describe('on Windows', () => {
  table([
    ['C:\\ws\\a.txt', 'C:\\ws\\a.txt'],
    ['C:/ws/a.txt', 'C:\\ws\\a.txt'],
    ['c:/ws/./b/../a.txt', 'c:\\ws\\a.txt'],
    ['/c/ws/a.txt', 'C:\\ws\\a.txt'],
    ['/d', 'D:\\'],
    ['D:\\..b\\a.b.c', 'D:\\..b\\a.b.c'],
  ])('a path is normalised', (path, full) => expect(absolutePath(path, windows)).toBe(full));

  table([
    ['a stream', 'C:\\ws\\a.txt:hidden', 'not_a_file'],
    ['the default stream', 'C:\\ws\\a.txt::$DATA', 'not_a_file'],
    ['a device', 'C:\\ws\\NUL', 'not_a_file'],
    ['a device with an ending', 'C:\\ws\\com1.txt', 'not_a_file'],
    ['a name that ends with a dot', 'C:\\ws\\a.txt.', 'not_a_file'],
    ['a name that ends with a space', 'C:\\ws\\a \\b', 'not_a_file'],
    ['a share', '\\\\server\\share\\a', 'path_outside_root'],
    ['a long path', '\\\\?\\C:\\ws\\a', 'path_outside_root'],
    ['a device path', '\\\\.\\PhysicalDrive0', 'path_outside_root'],
    ['a share with slashes', '//server/share/a', 'path_outside_root'],
    ['the root of a drive that is not named', '\\ws\\a', 'path_not_absolute'],
    ['a path on another drive from where it stands', 'D:a.txt', 'path_not_absolute'],
    ['a POSIX path', '/tmp/x', 'path_not_absolute'],
    ['a relative path', 'src\\a.txt', 'path_not_absolute'],
    ['a home path', '~/a', 'path_not_absolute'],
  ])('an invalid file name is refused', (_name, path, code) => expect(codeOf(path, windows)).toBe(code));

  test('a relative path is resolved from the root with the option', () =>
    expect(absolutePath('src/a.txt', { ...windows, relativePaths: 'resolve' })).toBe('C:\\ws\\src\\a.txt'));
});

describe('elsewhere', () => {
  test('unusual names are literal paths', () =>
    eachRow(['/ws/a:b', '/ws/a\\b', '/ws/..b', '/ws/a..', '/ws/ x ', '/c/x', '/ws/NUL', '/ws/%2e%2e/x'], (path) =>
      expect(absolutePath(path, posix)).toBe(path),
    ));

  test('a Windows path is refused as such', () =>
    eachRow(['C:\\x', 'C:/x', '\\\\server\\x', '/ws/..\\..\\x', '..\\x', '/ws/a\\..'], (path) =>
      expect(() => absolutePath(path, posix)).toThrow(/Windows/),
    ));
});

describe('a path in another notation', () => {
  const elsewhere = [
    ['file:///ws/a%20b.txt', 'Write the path: /ws/a b.txt'],
    ['FILE:///ws/a.txt', 'Write the path: /ws/a.txt'],
    ['"file:///ws/a.txt"', 'Write the path: /ws/a.txt'],
    ['file:/ws/a.txt', 'Write the path: /ws/a.txt'],
    ['“/ws/a.txt”', 'Write it without them: /ws/a.txt'],
    ['„a.txt“', 'Write it without them: a.txt'],
    ['file://server/a.txt', 'Write an absolute path.'],
    ['vscode://file/ws/a.txt', 'Write an absolute path.'],
    ['</ws/a.txt>', 'Write the absolute path; the workspace is'],
    ['${PWD}/a.txt', 'Write the absolute path; the workspace is'],
    ['$HOME/a.txt', 'Write the absolute path; the workspace is'],
    ['$project_ROOT1/a.txt', 'Write the absolute path; the workspace is'],
    ['file:///ws/%2Fa', 'Write an absolute path.'],
    ['@/src/a.ts', 'the workspace is /ws.'],
    ['"/ws/a.txt"', 'Write it without them: /ws/a.txt'],
    ["'/ws/a b.txt'", 'Write it without them: /ws/a b.txt'],
    ['`src/a.txt`', 'Write it without them: src/a.txt'],
  ] as const;
  test.each(['reject', 'resolve'] as const)('is refused with the correct form, also with relative paths: %s', (mode) =>
    eachRow(elsewhere, ([path, step]) =>
      expect(() => absolutePath(path, { ...posix, relativePaths: mode })).toThrow(step),
    ),
  );

  test('is refused on Windows too', () =>
    expect(() => absolutePath('file:///C:/ws/a%20b.txt', windows)).toThrow('Write the path: C:\\ws\\a b.txt'));

  test('is a path if only its characters are similar', () =>
    eachRow(['@types/a.ts', '@', '"a', "it's", 'a"b"', 'files/a', 'file.txt', 'file:a.txt'], (path) =>
      expect(absolutePath(path, { ...posix, relativePaths: 'resolve' })).toBe(`/ws/${path}`),
    ));
});
