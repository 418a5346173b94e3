export type { CallCounts } from './guards/call-counts.js';
export {
  createLedger,
  type Ledger,
  type LedgerFailure,
  type LedgerKey,
  type LedgerOptions,
  type LedgerQuery,
  type LedgerReport,
} from './guards/create-call-ledger.js';
export { createFileClaims, type FileClaims, type FileClaimsOptions } from './guards/create-file-claims.js';
export { createLoopGuard, type LoopGuardOptions, type LoopLimits, mergeHooks } from './guards/create-loop-guard.js';
export {
  type FlexibleAnswer,
  type FlexibleLimiter,
  fromRateLimiterFlexible,
} from './guards/limits/from-rate-limiter-flexible.js';
export { type FileSuspensionsOptions, fileSuspensions } from './sessions/file-suspensions.js';
export { memorySuspensions } from './sessions/in-memory-suspensions.js';
