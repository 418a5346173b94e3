import { resolve } from 'node:path';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { inputSchema, type StandardSchema } from '../../core/schema/input.js';
import { Tool } from '../../core/tool.js';
import type { CustomToolDefinition } from '../../ports/custom-tool-store.js';
import type { Shell } from '../../ports/shell.js';
import { denialOf, type GuardVerdict } from '../../shell/run/guarded-shell.js';
import { bashTool } from '../../tools/shell/bash.js';
import { refusing } from '../../tools/support/unconfigured-tool.js';
import { resourcesOf } from '../../tools/toolkit-resources.js';
import { type ReadCustomTool, readCustomTool } from './read-definition.js';

/**
 * Creates a tool that runs a command line with the arguments of the model. The command runs like a command of the Bash
 * tool: same shell, sandbox, limits and safety policy. Two kinds of permission rules apply: rules for the name of the
 * tool, and `Bash(…)` rules for the command. Throws a TypeError that names the field for an invalid definition, and for
 * a command that the safety policy blocks.
 */
export function customTool(definition: CustomToolDefinition, toolkit: Toolkit): Tool {
  const { shell, files, deadline, assess, paths, limits, timers, scrub, learn } = resourcesOf('customTool', toolkit);
  const read = readCustomTool(definition);
  const { name, description, template, timeoutMs, workingDir = '.', env, isEnabled } = read;
  assertCommand(read, assess);
  for (const value of Object.values(env)) learn?.(value);

  const cwd = resolve(files.root, workingDir);
  const shellInFolder: Shell = {
    run: (request, scope) => shell.run({ ...request, cwd, env: { ...env, ...request.env } }, scope),
  };
  const bash = bashTool({
    ...{ shell: shellInFolder, deadline, assess, paths, limits, timers, hidesSecrets: scrub !== false },
    timeoutAdvice: `Ask ${name} for less work in one call.`,
  });
  const callOf = (input: unknown) => ({
    command: template.render(input as Record<string, unknown>),
    timeout: Math.min(timeoutMs, limits.bash.maxTimeoutMs),
    description: name,
  });
  const tool = Tool.define(name, {
    description,
    input: schemaOf(read, limits.bash.maxCommandChars),
    inputJson: read.parameters,
    traits: { runs: true },
    sideEffect: bash.sideEffect,
    permissions: bash.permissions,
    timeoutMs: bash.timeoutMs,
    maxOutputChars: bash.maxOutputChars,
    idempotent: false,
    assess: async (input, scope) => {
      const call = callOf(input);
      return { ...(await bash.assess(call, scope)), title: `${name}: ${call.command}` };
    },
    execute: (input, context) => {
      if (!isEnabled) throw new ToolError('not_allowed', `${name} is disabled. Use another tool.`);
      return bash.execute(callOf(input), context);
    },
  });
  return isEnabled ? tool : refusing(tool);
}

/** Throws a TypeError if the safety policy blocks the command of a definition. */
export function assertCommand({ template }: ReadCustomTool, assess: (command: string) => GuardVerdict): void {
  const denial = denialOf(assess(template.sample));
  if (denial !== undefined) throw new TypeError(`customTool: command: blocked by safety policy: ${denial}`);
}

/** Validates input by the schema of the definition and by the limits of a command line. */
function schemaOf({ name, parameters, template }: ReadCustomTool, maxChars: number): StandardSchema {
  const declared = inputSchema(name, parameters);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: async (raw) => {
        const parsed = await declared.parse(raw);
        if (!parsed.ok) return parsed;
        const issues = template.issuesOf(parsed.value);
        if (issues.length > 0) return { issues };
        const { length } = template.render(parsed.value);
        const message = `makes a command of ${length} characters; at most ${maxChars} are allowed; send less`;
        return length > maxChars ? { issues: [{ path: [], message }] } : { value: parsed.value };
      },
    },
  };
}
