/** Loads the parts of the SDK that every server needs, on first use, because loading takes a tenth of a second. */
export async function loadSdk() {
  const [{ Server }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Server, types };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

export const loadStdio = () => import('@modelcontextprotocol/sdk/server/stdio.js');

export const loadHttp = () => import('@modelcontextprotocol/sdk/server/streamableHttp.js');
