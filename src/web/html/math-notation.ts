/** The sign for each element. It follows the marker `open` at the start of an expression. */
const signs: Readonly<Record<string, string>> = {
  ...{ sup: '^', sub: '_', msup: 'u', mover: 'u', msub: 'l', munder: 'l', msubsup: 'b', munderover: 'b' },
  ...{ mfrac: '/', msqrt: 'r', mroot: 'R', semantics: '$', mfenced: '(', mmultiscripts: 'm' },
};

// The markers are noncharacters. They stay until the block is complete, since brackets depend on the surrounding text.
const [open, nextPart, close] = ['\ufdd0', '\ufdd1', '\ufdd2'];
const innermost = /\ufdd0(.)([^\ufdd0\ufdd2]*)\ufdd2/gs;
/** A fraction written with sup and sub. */
const fraction = /\ufdd0\^([^\ufdd0-\ufdd2]*)\ufdd2[/\u2044]\ufdd0_([^\ufdd0-\ufdd2]*)\ufdd2/g;
const maxDepth = 20;

/** The markers before and after a power, index, fraction or root, and between its parts if `hasParts` is true. */
export function raisedMarks(name: string) {
  return { open: open + (signs[name] ?? ''), nextPart, close, hasParts: !/^(?:sup|sub|msqrt)$/.test(name) };
}

/** Replaces the markers of a block by inline notation such as `10^6` and `1/2`. */
export function writeRaised(text: string): string {
  if (!/[\ufdd0-\ufdd2]/.test(text)) return text;
  let written = text.replace(fraction, `${open}/$1${nextPart}$2${close}`);
  for (let depth = 0; depth < maxDepth && written.includes(open); depth++) {
    const whole = written;
    written = whole.replace(innermost, (all: string, sign: string, content: string, at: number) =>
      inOneLine(sign, content.split(nextPart), whole.charAt(at - 1), whole.slice(at + all.length, at + all.length + 2)),
    );
  }
  return written.replace(/\ufdd0(.)|[\ufdd1\ufdd2]/gs, (_all, sign = '') => (/[\^_]/.test(sign) ? sign : ''));
}

function inOneLine(sign: string, parts: readonly string[], before: string, after: string): string {
  const [first = '', second = '', third = ''] = parts;
  const isTight = /^[\p{L}\p{N}\ufdd0]/u.test(after);
  switch (sign) {
    case 'u':
      return operand(first) + raised('^', second, after);
    case 'l':
      return operand(first) + raised('_', second, after);
    case 'b':
      return operand(first) + raised('_', second, '') + raised('^', third, after);
    case '/': {
      const plain = `${operand(first)}/${operand(second)}`;
      return (/[\p{L}\p{N}\ufdd2]/u.test(before) ? ' ' : '') + (isTight ? `(${plain})` : plain);
    }
    case '(':
      return `(${parts.map((part) => part.trim()).join(',')})`;
    case 'm':
      // The position of each script is not tracked.
      return `${operand(first)} (${parts.slice(1).join(',')})`;
    case 'r':
      return `√${isTight ? `(${parts.join('').trim()})` : operand(parts.join(''))}`;
    case 'R':
      return `${operand(first)}^(1/${operand(second)})`;
    case '$': {
      const tex = parts.slice(1).join('').trim();
      return tex === '' ? first : `$${tex}$`;
    }
    default:
      return raised(sign, /^\s/.test(before) ? parts.join('').trimStart() : parts.join(''), after);
  }
}

const oneNumberOrName = /^\**[+\-−–]?(?:\p{N}+|\p{L}+|[^\p{L}\p{N}])\**$/u;
// These symbols mean the same when they are not raised, so they are written without `^`.
const alwaysRaised = /^[®™℠©°ºª]+$/;

function raised(sign: string, text: string, after: string): string {
  const content = text.trim();
  if (content === '' || alwaysRaised.test(content)) return text;
  const end = /\s$/.test(text) ? ' ' : '';
  const seam = (/[^*]?(?=\**$)/.exec(content)?.[0] ?? '') + after;
  const isGlued = end === '' && /^(?:\p{N}{2}|\p{L}{2}|.\ufdd0[^^_])/u.test(seam);
  const isOne = oneNumberOrName.test(content) || /^\[[^\n]*\]\([^\n]*\)$/.test(content);
  return `${/^\s/.test(text) ? ' ' : ''}${sign}${isOne && !isGlued ? content : `(${content})`}${end}`;
}

function operand(text: string): string {
  const content = text.trim();
  return /^(?:[\p{L}\p{N}.,]*|.)$/su.test(content) ? content : `(${content})`;
}
