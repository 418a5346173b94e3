import { having, type OptionKinds, orFactory } from '../core/support/check-values.js';
import type { Hosts } from './hosts.js';

export const fileSystemKind = having('a file system', 'resolve', 'stat', 'open');

export const spawnerKind = having('a spawner of subagents', 'spawn');

export const teamsKind = having('a coordinator of teams', 'create', 'send', 'receive', 'remove');

export const directoryKind = having('a directory of sessions', 'list', 'history', 'send', 'status');

const mcpMethods = ['servers', 'tools', 'callTool', 'listResources', 'readResource', 'subscribe'];
/** The required methods of each host. */
export const hostKinds: OptionKinds<Hosts> = {
  files: fileSystemKind,
  shell: having('a shell', 'run'),
  documents: having('a reader of documents', 'readPages'),
  images: having('a resizer of images', 'resize'),
  suspensions: having('a store of suspensions', 'claim', 'settle'),
  http: having('an HTTP client', 'get', 'post'),
  search: having('a search provider', 'search'),
  summarizer: having('a summarizer', 'summarize'),
  userInput: having('an object that asks a person', 'ask'),
  config: having('a store of settings', 'describe', 'get', 'set', 'reset'),
  todos: having('a store of todos', 'get', 'set'),
  tasks: having('a task board', 'create', 'get', 'update', 'list'),
  subagents: orFactory(spawnerKind),
  mcp: having('a client of MCP servers', ...mcpMethods),
  mcpSampling: having('an object that asks a model', 'sample'),
  teams: orFactory(teamsKind),
  sessions: orFactory(directoryKind),
  elicitation: having('an object that asks a person for MCP servers', 'elicit'),
};
