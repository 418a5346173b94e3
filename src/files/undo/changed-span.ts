/** The difference of two contents: the bytes removed at `offset`, and the bytes inserted there. */
export interface ChangedSpan {
  readonly offset: number;
  readonly removed: Buffer;
  readonly inserted: Buffer;
}

const blockBytes = 65_536;

/** The smallest single span whose replacement turns `before` into `after`; both parts are copies. */
export function changedSpan(before: Buffer, after: Buffer): ChangedSpan {
  const shorter = Math.min(before.length, after.length);
  const offset = commonStart(before, after, shorter);
  const tail = commonEnd(before, after, shorter - offset);
  return {
    offset,
    removed: Buffer.from(before.subarray(offset, before.length - tail)),
    inserted: Buffer.from(after.subarray(offset, after.length - tail)),
  };
}

function commonStart(left: Buffer, right: Buffer, most: number): number {
  let at = 0;
  while (at + blockBytes <= most && left.compare(right, at, at + blockBytes, at, at + blockBytes) === 0)
    at += blockBytes;
  while (at < most && left[at] === right[at]) at++;
  return at;
}

function commonEnd(left: Buffer, right: Buffer, most: number): number {
  let count = 0;
  const same = (from: number, until: number) =>
    left.compare(right, right.length - until, right.length - from, left.length - until, left.length - from) === 0;
  while (count + blockBytes <= most && same(count, count + blockBytes)) count += blockBytes;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}
