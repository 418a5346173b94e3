import { createToolkit } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';

const toolkitOf = () => createToolkit({ root: '/workspace', hosts: { files: memoryFiles({}) } });

test('an attached part is ended with its sessions and with the toolkit, which wait for it', async () => {
  const toolkit = toolkitOf();
  const ended: string[] = [];
  const later = (what: string) => new Promise<void>((resolve) => setImmediate(() => resolve(void ended.push(what))));
  toolkit.attach({ endSession: (id) => later(`session ${id}`), dispose: () => later('all') });
  await toolkit.endSession('s1');
  expect(ended).toEqual(['session s1']);
  await toolkit.dispose();
  expect(ended).toEqual(['session s1', 'all']);
  toolkit.attach({ dispose: () => void ended.push('late') });
  expect(ended).toEqual(['session s1', 'all', 'late']);
});

test('a failing part does not affect others, and is reported', async () => {
  const toolkit = toolkitOf();
  const ended: string[] = [];
  const failing = () => Promise.reject(new Error('stuck'));
  toolkit.attach({ endSession: failing, dispose: failing });
  toolkit.attach({ endSession: () => void ended.push('session'), dispose: () => void ended.push('all') });
  await expect(toolkit.endSession('s1')).rejects.toThrow(AggregateError);
  await expect(toolkit.dispose()).rejects.toThrow(AggregateError);
  expect(ended).toEqual(['session', 'all']);
});

test('an invalid part is a TypeError', () => {
  const { attach } = toolkitOf();
  expect(() => attach(undefined as never)).toThrow('toolkit.attach({ dispose:');
  expect(() => attach({ dispose: true } as never)).toThrow('dispose takes a function');
});
