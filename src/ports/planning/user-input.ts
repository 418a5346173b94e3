import type { CallScope } from '../../core/context.js';

/** An option of a question. */
export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  /** The result of choosing this option: code, a layout, a text of several lines. */
  readonly preview?: string | undefined;
}

/** A question with options; a person may always answer with another text. */
export interface UserQuestion {
  readonly question: string;
  /** At most 12 characters. */
  readonly header: string;
  /** Two to four options, with different labels. */
  readonly options: readonly QuestionOption[];
  /** Whether several options may be chosen. */
  readonly multiSelect: boolean;
}

/** The answers of a person. */
export interface UserAnswers {
  /**
   * Answers by the text of the question: the label of an option, several labels joined by `, `, or another text. A
   * question without an entry was not answered.
   */
  readonly answers: Readonly<Record<string, string>>;
  /** The texts of questions that the person skipped. */
  readonly skipped?: readonly string[] | undefined;
}

/**
 * Asks the person who uses the program, without a time limit; the signal aborts when the answer is not needed any more.
 * The model wrote the texts: escape deceptive characters before a terminal or a page shows them.
 */
export interface UserInput {
  ask(request: { readonly questions: readonly UserQuestion[] }, scope: CallScope): Promise<UserAnswers> | UserAnswers;
}
