import { assignmentRule } from './credential-assignment.js';
import { commandRules } from './credential-command.js';
import { cookieRule } from './credential-cookie.js';
import { entryRules, pgpassRule } from './credential-entry.js';
import { schemeRule } from './credential-header.js';
import { keyEndRule } from './credential-key-end.js';
import { privateKeyRule, puttyKeyRule } from './credential-pem.js';
import type { CredentialRule } from './credential-rule.js';
import { tokenRules } from './credential-token.js';
import { oracleRule, urlPasswordRule, urlTokenRule } from './credential-url.js';

/** Every rule; of several at one place the first that finds something counts. */
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
  assignmentRule,
];
