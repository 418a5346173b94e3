import { describe, onTestFinished, test, vi } from 'vitest';
import { pathCases, tryPath } from '../support/path-cases.js';

test.each(pathCases.filter(({ tool }) => tool === 'Glob'))('$name', tryPath);

describe.each(['ripgrep', 'javascript'])('for %s as search path', (engine) => {
  // Without a process there are no arguments that could count as flags.
  const searches = pathCases.filter((one) => one.tool === 'Grep' && (engine === 'ripgrep' || one.expect !== 'no_exec'));

  test.each(searches)('$name', async (example) => {
    if (engine === 'javascript') vi.stubEnv('TOOLWRIGHT_RIPGREP', 'off');
    onTestFinished(() => void vi.unstubAllEnvs());
    await tryPath(example);
  });
});
