/**
 * A device that connects to `webSocketNodes` and reconnects by itself. It needs the package `ws`.
 *
 * npx tsx examples/nodes/node.ts ws://127.0.0.1:8730 desk   with the token in the environment as NODE_TOKEN
 */
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

/** The commands of a node, by name. */
export type Commands = Readonly<
  Record<string, { about: string; inputSchema?: object; run(input: Record<string, unknown>): unknown }>
>;

/** Connects, and stays connected until the returned function is called. */
export function runNode(url: string, token: string, name: string, commands: Commands): () => void {
  let socket: WebSocket;
  let pauseMs = 100;
  let isOver = false;
  const connect = () => {
    if (isOver) return;
    socket = new WebSocket(url);
    socket.on('open', () => {
      pauseMs = 100;
      const described = Object.entries(commands).map(([command, { about, inputSchema }]) => ({
        ...{ name: command, description: about, inputSchema },
      }));
      socket.send(JSON.stringify({ type: 'hello', token, name, commands: described }));
    });
    socket.on('message', async (data) => {
      const { id, command, input } = JSON.parse(String(data));
      const answer = { type: 'result', id };
      try {
        const output = await commands[command]?.run(input);
        socket.send(JSON.stringify({ ...answer, ok: true, output }));
      } catch (thrown) {
        socket.send(JSON.stringify({ ...answer, ok: false, error: String(thrown) }));
      }
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      // A refused connection, for example for a wrong token, would be refused again.
      if (code === 4400 || code === 4401) process.stderr.write(`${name}: ${reason}\n`);
      else setTimeout(connect, pauseMs);
      pauseMs = Math.min(pauseMs * 2, 30_000);
    });
  };
  connect();
  return () => {
    isOver = true;
    socket.close();
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url = 'ws://127.0.0.1:8730', name = 'desk'] = process.argv;
  runNode(url, process.env.NODE_TOKEN ?? '', name, {
    host: { about: 'Tell the name of this machine', run: () => hostname() },
  });
}
