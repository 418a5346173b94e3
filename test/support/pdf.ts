/** A PDF document whose pages have these lines of ASCII text. With an unknown password it cannot be opened. */
export function pdfOf(pages: readonly (readonly string[])[], { isEncrypted = false } = {}): Buffer {
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
      stream(lines),
    ]),
    ...(isEncrypted
      ? [`<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${'a1'.repeat(32)}> /U <${'b2'.repeat(32)}> >>`]
      : []),
  ];
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = isEncrypted ? ` /Encrypt ${objects.length} 0 R /ID [<${'c3'.repeat(16)}> <${'c3'.repeat(16)}>]` : '';
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encrypt} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

function stream(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
  // Text outside the page is not part of its text.
  const longest = Math.max(...lines.map(({ length }) => length));
  const size = Math.min(12, 500 / longest, 500 / lines.length);
  const content =
    lines.length === 0 ? '' : `BT /F1 ${size.toFixed(4)} Tf ${(size * 1.2).toFixed(4)} TL 72 720 Td\n${shown}\nET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}
