import type { CallScope } from '../../core/context.js';

/** What a person may choose. */
export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  /** What choosing it would look like: code, a layout, a text of several lines. */
  readonly preview?: string | undefined;
}

/** A question with the answers it suggests; a person may always answer in words of their own. */
export interface UserQuestion {
  readonly question: string;
  /** At most 12 characters. */
  readonly header: string;
  /** Two to four, with different labels. */
  readonly options: readonly QuestionOption[];
  /** Whether several options may be chosen. */
  readonly multiSelect: boolean;
}

/** What a person said. */
export interface UserAnswers {
  /**
   * By the text of the question: the label of an option, several joined by `, `, or words of the person's own. A
   * question that is not there was not answered.
   */
  readonly answers: Readonly<Record<string, string>>;
  /** The texts of questions that the person would not answer. */
  readonly skipped?: readonly string[] | undefined;
}

/**
 * Asks the person who uses the program. It has all the time they need; the signal aborts when the answer is not wanted
 * any more. The texts are the model's: spell out what could deceive before a terminal or a page shows them.
 */
export interface UserInput {
  ask(request: { readonly questions: readonly UserQuestion[] }, scope: CallScope): Promise<UserAnswers> | UserAnswers;
}
