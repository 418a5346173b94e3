import { expect, test } from 'vitest';
import { placeholderLine } from '../../src/tools/content/placeholder-line.js';
import { samples, table } from '../support/each-row.js';

table([
  ...samples`
    // ... rest of the code ¦ // ...rest of code... ¦ # ... existing code ... ¦ # ... (rest unchanged)
    #   [... rest of the implementation ...] ¦ /* ... unchanged ... */ ¦ /* ... other styles ... */
    {/* ... rest of the component ... */} ¦ <!-- ... rest of the page contents ... --> ¦ -- ... remaining lines
    ; ... omitted for brevity ... ¦ // ... other routes ... ¦ // ... keep existing handlers ...
    // ... (other methods) ... ¦ // ... rest of the HTML ¦ // ... same as above ¦ // ...existing code...
    // (rest of file unchanged) ¦ # [rest of the code omitted] ¦ {{!-- ... rest of template --}}
    // other methods... ¦ // ... keep existing code ¦ ... (rest unchanged) ¦ ... rest of file ...
    [... rest of the document stays the same ...]
  `,
  '// … existing code …',
  '\t// ... the rest stays the same',
])('lines that stand for omitted code', (line) => expect(placeholderLine(`one\n${line}\r\ntwo`)).toBe(line.trim()));

table([
  ...samples`
    # other fields are unchanged ¦ // existing tests remain unchanged ¦ // existing code here
    // the rest is the same ¦ // rest of the code remains unchanged ¦ # rest of the file ¦ <!-- rest of file -->
    // (the rest of the world) ¦ // ...rest ¦ const { first, ...rest } = values; ¦ function all(...rest) { ¦ // ...
    # ... ¦ ... ¦ // The rest of the code is made by the generator, see build.ts
    // rest of the arguments are passed on to the command ¦ # Existing code paths call this twice. ¦ # Other methods
    // unchanged ¦ // same as before ¦ /* Remaining entries */ ¦ and so on ... ¦ Wait for the rest of the code ...
    Loading existing files... ¦ - ... and the rest of the family ¦ print("... rest of the code")
    ## Rest of the year ¦ x = y[..., 0]  # the rest
  `,
  '  ...rest',
  '  ...rest,',
  '  ...unchanged',
  '  ...(rest)',
  '  ...(rest as Values)',
  '  ...[rest]',
  '  ... rest',
  '    ...',
])('ordinary lines', (line) => expect(placeholderLine(`one\n${line}\ntwo`)).toBeUndefined());

test('takes time in proportion to the text', () =>
  expect(
    placeholderLine(
      `${' '.repeat(200_000)}x\n// ...${' '.repeat(200_000)}x\n#${'.'.repeat(200_000)}\n// ... rest${' '.repeat(200_000)}!`,
    ),
  ).toBeUndefined());
