import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { callScope } from './call-scope.js';

const [, , root = '', path = '', size = '0'] = process.argv;
const files = hostFiles({ root, limits: defaultLimits });

process.stdout.write('ready\n');
for (let round = 0; ; round++) {
  // Many slices, so that the process can be killed between any two.
  const slice = Buffer.alloc(65_536, round % 2 === 0 ? 'a' : 'b');
  const slices = Array.from({ length: Number(size) / slice.length }, () => slice);
  await files.update(path, () => ({ slices }), callScope());
}
