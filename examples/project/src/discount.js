import { readFileSync } from 'node:fs';

const config = JSON.parse(readFileSync(new URL('../config.json', import.meta.url), 'utf8'));

/** The share that is taken off a price: `bulkDiscount` from `bulkFrom` pieces on, nothing below. */
export function discountFor(quantity) {
  return quantity > config.bulkFrom ? config.bulkDiscount : 0;
}
