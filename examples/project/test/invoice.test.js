import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalCents } from '../src/invoice.js';

test('totalCents: an empty invoice costs nothing', () => {
  assert.equal(totalCents([]), 0);
});

test('totalCents: every line is rounded by itself', () => {
  assert.equal(totalCents([{ quantity: 11, unitCents: 5 }, { quantity: 1, unitCents: 99 }]), 149);
});
