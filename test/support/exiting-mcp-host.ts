// Starts a server that does not end by itself, reports it, and ends in the way given by its first argument.
import { McpManager } from '../../src/mcp.js';

const [way = 'exit', mark = ''] = process.argv.slice(2);
const args = ['test/support/hostile-mcp-server.mjs', 'ignores_end_with_children', '', mark];
const manager = new McpManager({ servers: { one: { command: process.execPath, args } } });
await manager.connect();
if (way === 'exit') process.exit(0);
if (way === 'throw') throw new Error('as asked');
process.kill(process.pid, way);
