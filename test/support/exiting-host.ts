import { writeSync } from 'node:fs';
import { HostShell, SpillFolder } from 'toolwright/tools';
import { resolveLimits } from '../../src/core/resolve-limits.js';

// A separate program that starts a command, reports it, and ends in the way given by its arguments.
const [root = '/', command = 'true', way = 'exit'] = process.argv.slice(2);
const folder = new SpillFolder();
const shell = new HostShell({ roots: [root], folder, limits: resolveLimits() });
const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };

if (way === 'own-handler') process.on('SIGTERM', () => process.exit(7));
if (way === 'stays') process.on('SIGTERM', () => writeSync(1, 'stayed\n'));
if (way === 'left') await shell.run({ command }, scope);
else await new Promise<unknown>((onOutput) => void shell.run({ command, onOutput }, scope));
writeSync(1, `ready ${folder.path}\n`);
if (way === 'exit') process.exit(3);
if (way === 'throw') throw new Error('uncaught');
if (way === 'reject') void Promise.reject(new Error('unhandled'));
