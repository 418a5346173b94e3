import { hostName } from '../../text/host-names.js';

/** The host that `domain:…` names, as addresses write it; undefined for what names none. */
export function ruleHost(pattern: string): string | undefined {
  return pattern.startsWith('domain:') ? hostName(pattern.slice('domain:'.length)) : undefined;
}
