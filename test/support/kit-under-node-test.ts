import { test } from 'node:test';
import { fileSystemConformance, memoryFiles, rateLimiterConformance } from '../../src/testing/index.js';

for (const { name, run } of fileSystemConformance.slice(0, 3))
  void test(name, () => run(() => ({ files: memoryFiles() })));
const [first] = rateLimiterConformance;
void test('a fault', () => first?.run(() => ({ limiter: { take: () => ({ ok: true, remaining: 9 }) } })));
