export { createFileClaims, type FileClaims, type FileClaimsOptions } from './state/create-file-claims.js';
export {
  type FlexibleAnswer,
  type FlexibleLimiter,
  fromRateLimiterFlexible,
} from './state/limits/from-rate-limiter-flexible.js';
export { createLoopGuard, type LoopGuardOptions, mergeHooks } from './state/loops/create-loop-guard.js';
export type { LoopLimits } from './state/loops/session-loops.js';
export type { CallCounts } from './state/records/call-counts.js';
export {
  createLedger,
  type Ledger,
  type LedgerFailure,
  type LedgerKey,
  type LedgerOptions,
  type LedgerQuery,
  type LedgerReport,
} from './state/records/create-ledger.js';
export { type FileSuspensionsOptions, fileSuspensions } from './state/suspensions/file-suspensions.js';
export { memorySuspensions } from './state/suspensions/memory-suspensions.js';
