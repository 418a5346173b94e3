import { lazily } from '../../core/support/once.js';
import { HeadIndex } from '../../core/text/literal-prefix-index.js';
import { assignmentRule, defaultRule } from './assignment.js';
import { schemeRule } from './auth-scheme.js';
import { commandRules } from './command.js';
import { cookieRule } from './cookie.js';
import { tokenRules } from './issued-tokens.js';
import { entryRules, pgpassRule } from './name-on-other-line.js';
import { privateKeyRule, puttyKeyRule } from './private-key.js';
import { keyEndRule } from './private-key-footer.js';
import type { CredentialRule } from './rule.js';
import { oracleRule, urlPasswordRule, urlTokenRule } from './url.js';

/** All rules. If several match at one place, the first one wins. */
export const credentialRules: readonly CredentialRule[] = [
  ...tokenRules,
  privateKeyRule,
  keyEndRule,
  puttyKeyRule,
  urlPasswordRule,
  urlTokenRule,
  oracleRule,
  ...commandRules,
  ...entryRules,
  pgpassRule,
  schemeRule,
  cookieRule,
  defaultRule,
  assignmentRule,
];

/** The index of all rules, built on first use. The index stores no scanned text, so all scrubbers share it. */
export const ruleIndex = lazily(() => new HeadIndex(credentialRules));
