import { memoryStores } from 'toolwright/managed';
import { managedStoresConformance } from 'toolwright/testing';
import { expect, test } from 'vitest';

test.each(managedStoresConformance)('$name', ({ run }) => run(() => ({ stores: memoryStores() })));

test('a misspelled option is refused', () => {
  expect(() => memoryStores({ boxx: {} } as never)).toThrow(/^memoryStores: .*boxx/);
});
