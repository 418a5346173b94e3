const thing =
  '(?:[a-z]+ )?(?:code|file|contents?|implementation|functions?|methods?|class(?:es)?|components?|script|document|sections?' +
  '|tests?|imports?|text|lines?|config(?:uration)?|styles?|logic|module|body|fields?|properties|entries)';
const rest = `(?:the )?(?:rest|remainder) of (?:(?:the|your|this) )?${thing}`;
const known = `(?:(?:the|your|all|keep) )*(?:existing|remaining|previous|unchanged|original|other) ${thing}`;
const same =
  '(?:(?:is|are|remains?|stays?) )*(?:unchanged|(?:the )?same(?: as before)?|as (?:before|is)|here|omitted|not shown)(?: for brevity)?';
// What a comment says in full needs no dots. One word right behind dots may be a value that is spread.
const clear = `(?:${rest}(?: ${same})?|(?:${known}|the rest|rest) ${same})`;
const vague = `[([]?(?:${clear}|${known}|(?<=[ ([])(?:the rest|rest|${same}))[)\\]]?`;
const dots = '(?:\\.{3,}|…) ?';
const comment = '(?://+|#+|--+|;+|%+|\\{?/\\*+|<!--|\\(\\*|\\{#) ?';
const commentEnd = ' ?(?:\\*+/\\}?|-->|\\*\\)|#\\})?';
const body = `[([]?${dots}${vague} ?(?:${dots})?[)\\]]?`;
// Written with single blanks, which stand for any white space within a line.
const line = new RegExp(
  `^ ?(?:${comment}(?:${clear}|${body}|${vague} ?${dots})${commentEnd}|${body}) ?$`
    .replaceAll(' ?', '[ \\t]*')
    .replaceAll(/ (?!\\t|\(\[)/g, '[ \\t]+'),
  'im',
);

/** The first line that only stands for text that was left out, such as `// ... rest of the code`; undefined where there is none. */
export function leftOutLine(text: string): string | undefined {
  return line.exec(text)?.[0].trim();
}
