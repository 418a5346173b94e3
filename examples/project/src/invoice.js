import { discountFor } from './discount.js';

/** What the lines cost together, in whole cents. Each line is rounded by itself. */
export function totalCents(lines) {
  return lines.map(lineCents).reduce((sum, cents) => sum + cents, 0);
}

function lineCents({ quantity, unitCents }) {
  return Math.round(quantity * unitCents * (1 - discountFor(quantity)));
}
