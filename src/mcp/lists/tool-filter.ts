/** Which tools of a server are left, by their names; `*` stands for any characters. */
export interface ToolFilter {
  /** Only these. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** Not these, whatever is allowed. */
  readonly toolDeny?: readonly string[] | undefined;
}

/** The deny list first, then the allow list where there is one. */
export function passesFilter(tool: string, { toolAllow, toolDeny }: ToolFilter): boolean {
  if (toolDeny?.some((pattern) => matches(pattern, tool)) === true) return false;
  return toolAllow === undefined || toolAllow.some((pattern) => matches(pattern, tool));
}

function matches(pattern: string, tool: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === tool;
  if (!tool.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = tool.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return tool.length - last.length >= at && tool.endsWith(last);
}
