import type { Risk } from './risk.js';

/** The subagent whose call is asked about. */
export interface AskingSubagent {
  readonly id: string;
  /** The task of the subagent in a few words. */
  readonly description: string;
}

/**
 * A question that a person has to answer before a call runs. Plain data, scrubbed and escaped, so that any user
 * interface can show the question.
 */
export interface PermissionQuestion {
  /** Derived from the call, its input and the rules: another input gives another id. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** One line, such as `Bash: npm test`. */
  readonly title: string;
  /** Multi-line text, such as the whole command or a diff. */
  readonly preview?: string | undefined;
  /** Why the call is asked about, as a sentence. */
  readonly reason: string;
  /**
   * The source of the question: an `ask` rule, a `deny` rule that possibly matches the call, the tool itself
   * (`safety`), or the mode, because no rule allows the call.
   */
  readonly source: 'ask' | 'deny' | 'safety' | 'mode';
  readonly risk: Risk;
  /** Things that a person could overlook: look-alike letters, hidden or bidirectional characters. */
  readonly warnings: readonly string[];
  /** Rules that the answer `allow-always` would add. */
  readonly suggestions: readonly string[];
  /** The subagent whose call is asked about; the title also names the subagent. Default: the main agent. */
  readonly agent?: AskingSubagent | undefined;
}

/**
 * A decision about a call, as the library returns it. `updatedInput` replaces the input, which is parsed and authorised
 * again; `interrupt` ends the turn.
 */
export type Decision<Question = Partial<PermissionQuestion>> =
  | { readonly behavior: 'allow'; readonly reason?: string | undefined; readonly updatedInput?: unknown }
  | { readonly behavior: 'ask'; readonly reason?: string | undefined; readonly question: Question }
  | {
      readonly behavior: 'deny';
      readonly reason: string;
      /** The same text as `reason`, under its older name. */
      readonly message: string;
      readonly interrupt?: boolean | undefined;
    };

/**
 * A decision as hosts write it: a denial may give its reason as `reason` or as `message`, and `question` is optional.
 */
export type PermissionDecision =
  | Extract<Decision, { readonly behavior: 'allow' }>
  | {
      readonly behavior: 'ask';
      readonly reason?: string | undefined;
      readonly question?: Partial<PermissionQuestion> | undefined;
    }
  | {
      readonly behavior: 'deny';
      readonly reason?: string | undefined;
      readonly message?: string | undefined;
      readonly interrupt?: boolean | undefined;
    };

/**
 * The answer of a person: allow this call (`allow` or `allow-once`), allow all calls like it, deny, or a full decision.
 */
export type AskAnswer =
  | 'allow'
  | 'allow-once'
  | 'allow-always'
  | 'deny'
  | Exclude<PermissionDecision, { readonly behavior: 'ask' }>;

/** Answers, keyed by the id of the question or of the call. */
export type Answers = Readonly<Record<string, AskAnswer>>;
