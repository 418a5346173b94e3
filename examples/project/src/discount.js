import { readFileSync } from 'node:fs';

const config = JSON.parse(readFileSync(new URL('../config.json', import.meta.url), 'utf8'));

/** The discount on a price, as a fraction: `bulkDiscount` for at least `bulkFrom` pieces, otherwise 0. */
export function discountFor(quantity) {
  return quantity > config.bulkFrom ? config.bulkDiscount : 0;
}
