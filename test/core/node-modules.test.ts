import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { nodeCrypto, nodeProcesses, nodeThreads } from '../../src/core/node-modules.js';

test('what is loaded later is what an import gives', () => {
  expect(nodeCrypto().createHash).toBe(createHash);
  expect(nodeProcesses().spawn).toBe(spawn);
  expect(nodeThreads().Worker).toBe(Worker);
});
