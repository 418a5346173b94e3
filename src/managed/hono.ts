import type * as server from '@hono/node-server';
import type * as hono from 'hono';
import { ToolError } from '../core/error.js';
import { optionalPackage } from '../core/support/optional-package.js';

/** The context of a request, as `hono` defines it. */
export type Context = hono.Context;

/** Loads the optional package `hono`. Rejects with `not_configured` if it is missing. */
export async function loadHono(): Promise<Pick<typeof hono, 'Hono'>> {
  try {
    return (await optionalPackage('hono')) as typeof hono;
  } catch (cause) {
    throw new ToolError('not_configured', 'adminApi needs the package hono. Run: npm install hono', { cause });
  }
}

/** Loads the optional package `@hono/node-server`. Rejects with `not_configured` if it is missing. */
export async function loadHonoServer(): Promise<Pick<typeof server, 'serve'>> {
  try {
    return (await optionalPackage('@hono/node-server')) as typeof server;
  } catch (cause) {
    const next = 'Run: npm install hono @hono/node-server';
    throw new ToolError('not_configured', `toolwright admin needs the package @hono/node-server. ${next}`, { cause });
  }
}
