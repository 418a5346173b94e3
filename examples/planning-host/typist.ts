import { PassThrough, Writable } from 'node:stream';

/** A simulated terminal whose user takes the first choice of every question. */
export function typist() {
  const input = new PassThrough();
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      process.stdout.write(chunk);
      if (String(chunk).endsWith('to skip: ')) {
        process.stdout.write('1\n');
        input.write('1\n');
      }
      done();
    },
  });
  return { input, output };
}
