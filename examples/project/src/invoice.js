import { discountFor } from './discount.js';

/** The total of the lines in whole cents. Each line is rounded separately. */
export function totalCents(lines) {
  return lines.map(lineCents).reduce((sum, cents) => sum + cents, 0);
}

function lineCents({ quantity, unitCents }) {
  return Math.round(quantity * unitCents * (1 - discountFor(quantity)));
}
