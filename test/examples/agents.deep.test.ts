import { expect, test } from 'vitest';
import { compiled } from '../support/compiled-programs.js';
import { runProgram } from './run-example.js';

const program = compiled('examples/agents');

test('the demonstration of the lead and its subagents succeeds', async () => {
  const { exitCode, stdout, stderr } = await runProgram(program, []);
  expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: '' });
});

test('without a key one sentence says what a real model needs', async () => {
  const { exitCode, stdout } = await runProgram(program, ['--live', 'Review it.']);
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/^Set ANTHROPIC_API_KEY or OPENAI_API_KEY and pass a task .*\.\n$/);
});
