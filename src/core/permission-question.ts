import type { Risk } from './risk.js';

/** A subagent that wants something. */
export interface AskingSubagent {
  readonly id: string;
  /** What it was started for, in a few words. */
  readonly description: string;
}

/** What somebody has to answer before a call runs. Plain data, scrubbed and escaped: it can be shown anywhere. */
export interface PermissionQuestion {
  /** The same for the same call and input under the same rules; another input is another question. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** One line, such as `Bash: npm test`. */
  readonly title: string;
  /** Many lines: the whole command, the change. */
  readonly preview?: string | undefined;
  /** A sentence that says why it is asked. */
  readonly reason: string;
  /**
   * Which part of the order asks: a rule (`ask`, or a `deny` rule that may mean the call), the tool itself (`safety`),
   * or that nothing allows it (`mode`).
   */
  readonly source: 'ask' | 'deny' | 'safety' | 'mode';
  readonly risk: Risk;
  /** What a person could overlook: look-alike letters, hidden or bidirectional characters. */
  readonly warnings: readonly string[];
  /** Rules that "always" would add. */
  readonly suggestions: readonly string[];
  /** The subagent that asks, which the title names too. Default: the main agent. */
  readonly agent?: AskingSubagent | undefined;
}

/**
 * The one shape of every verdict, as it is answered. `updatedInput` replaces the input, which is parsed and authorised
 * again; `interrupt` ends the turn.
 */
export type Decision =
  | { readonly behavior: 'allow'; readonly reason?: string | undefined; readonly updatedInput?: unknown }
  | {
      readonly behavior: 'ask';
      readonly reason?: string | undefined;
      readonly question: Partial<PermissionQuestion>;
    }
  | {
      readonly behavior: 'deny';
      readonly reason: string;
      /** The same, by its older name. */
      readonly message: string;
      readonly interrupt?: boolean | undefined;
    };

/** The same as hosts write it: the reason of a no by either name, a question only where they have something to say. */
export type PermissionDecision =
  | PermissionVerdict
  | {
      readonly behavior: 'ask';
      readonly reason?: string | undefined;
      readonly question?: Partial<PermissionQuestion> | undefined;
    };

/** A decision that asks nobody. */
export type PermissionVerdict =
  | Extract<Decision, { readonly behavior: 'allow' }>
  | { readonly behavior: 'deny'; readonly reason: string; readonly interrupt?: boolean | undefined }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean | undefined };

/** What a person may answer: yes for this call (`allow` or `allow-once`), yes for all like it, no, or a decision in full. */
export type AskAnswer = 'allow' | 'allow-once' | 'allow-always' | 'deny' | PermissionVerdict;

/** What would happen to a call, as `toolkit.decide` answers. */
export type CallDecision = Decision &
  ({ readonly behavior: 'allow' | 'deny' } | { readonly question: PermissionQuestion });

/** Answers by the id of what they answer: a question, or a call. */
export type Answers = Readonly<Record<string, AskAnswer>>;
