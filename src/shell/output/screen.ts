import { tailOf } from '../../core/text/cut.js';
import type { OutputReader } from '../../ports/shell.js';
import { CommandOutput, type ShownOutput } from './capture.js';
import type { CaptureFile } from './capture-file.js';
import type { ViewOptions } from './view.js';

/** The lines of a screen, and the lines that have scrolled off its top. */
export interface ScreenLines {
  readonly lines: readonly string[];
  /** Index of the first line that is on the screen. */
  readonly shownFrom: number;
}

/** A terminal screen that shows the output of a program. */
export interface Screen {
  lines(): ScreenLines;
}

/** The output of a command on a terminal: the current screen. The file contains the raw output. */
export class ScreenOutput extends CommandOutput {
  readonly #screen: Screen;
  readonly #scrubber: ViewOptions['scrubber'];

  constructor(main: CaptureFile, screen: Screen, view: ViewOptions) {
    super(main, undefined, view);
    this.#screen = screen;
    this.#scrubber = view.scrubber;
  }

  override show(): ShownOutput {
    return { text: this.#text(), isCut: this.#screen.lines().shownFrom > 0, streams: undefined };
  }

  override tail(maxChars: number): string {
    return tailOf(this.#text(), maxChars);
  }

  /** A reader that returns the whole screen each time. */
  override open(): OutputReader {
    return { read: () => this.#text() };
  }

  #text(): string {
    const { lines, shownFrom } = this.#screen.lines();
    // Lines above the screen are scrubbed too, because a secret may begin there. Scrubbing keeps the number of lines.
    const scrubbed = this.#scrubber.text(lines.join('\n')).split('\n');
    return scrubbed
      .slice(shownFrom - lines.length)
      .join('\n')
      .trimEnd();
  }
}
