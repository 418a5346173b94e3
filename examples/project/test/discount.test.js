import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discountFor } from '../src/discount.js';

test('discountFor: nine pieces cost the full price', () => {
  assert.equal(discountFor(9), 0);
});

test('discountFor: the tenth piece brings the bulk discount', () => {
  assert.equal(discountFor(10), 0.1);
});

test('discountFor: a hundred pieces have it too', () => {
  assert.equal(discountFor(100), 0.1);
});
