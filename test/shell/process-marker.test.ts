import { expect, test } from 'vitest';
import { markerName, markersIn, markerValue } from '../../src/shell/run/child-environment.js';
import { eachRow } from '../support/each-row.js';

test('a mark is read from an environment as the kernel shows it', () => {
  const value = markerValue('toolwright-1-2-3', 7, undefined);
  expect(markersIn(`A=1\0${markerName}=${value}\0B=2\0`)).toEqual([{ owner: 'toolwright-1-2-3', run: 7 }]);
});

test('a nested shell adds its mark, and both are found, outermost first', () => {
  const value = markerValue('inner', 2, markerValue('outer', 1, undefined));
  expect(markersIn(`${markerName}=${value}`)).toEqual([
    { owner: 'outer', run: 1 },
    { owner: 'inner', run: 2 },
  ]);
});

test('deep nesting does not grow forever', () => {
  let value: string | undefined;
  for (let run = 0; run < 50; run++) value = markerValue('owner', run, value);
  expect(markersIn(`${markerName}=${value}`)).toHaveLength(9);
});

test('no mark is found where there is none', () =>
  eachRow(['', 'A=1', `X${markerName}=a.1`, `A=${markerName}=a.1`], (environment) =>
    expect(markersIn(environment)).toEqual([]),
  ));
