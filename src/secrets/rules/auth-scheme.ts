import { endOfRun, formRule } from './rule.js';
import { isSecretValue } from './secret-value.js';

const form = /b(earer|asic)[ \t]{1,4}(?=[A-Za-z0-9+/=._~-]{8})/iy;
const run = /^[A-Za-z0-9+/=._~-]{8,512}/;
const userAndPassword = /^[\x20-\x7e\u00a0-\ufffc]*:[\x20-\x7e\u00a0-\ufffc]+$/;
const stop = /[^A-Za-z0-9+/=._~-]/g;

/** Finds the credentials after the schemes `Bearer` and `Basic` (RFC 6750, RFC 7617), in any text. */
export const schemeRule = formRule(
  { heads: ['bearer', 'basic'], anyCase: true, startsWord: true },
  form,
  ({ text, start, end }) => {
    const [value = ''] = run.exec(text.slice(end, end + 512)) ?? [];
    const isSecret = /^basic/i.test(text.slice(start, end))
      ? userAndPassword.test(Buffer.from(value, 'base64').toString('utf8'))
      : isSecretValue(value, 'token', 'prose');
    return isSecret ? { kind: 'header', start: end, end: endOfRun(text, end + value.length, stop) } : undefined;
  },
);
