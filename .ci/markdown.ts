/** A Markdown table. Line breaks and bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

/** A page of the reference. */
export function page(title: string, intro: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, intro, ...parts, '*Made from the code by `npm run docs`.*'].join('\n\n')}\n`;
}
