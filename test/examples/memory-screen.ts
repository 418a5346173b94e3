import { createScreen, type Screen } from '../../examples/agent-loop/screen.js';

/** A screen that records its output. */
export class MemoryScreen {
  readonly screen: Screen;
  text = '';
  #answer: (() => void) | undefined;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const write = (text: string) => {
      this.text += text;
      if (text.includes('allow? ')) this.#answer?.();
    };
    this.screen = createScreen({ write }, env);
  }

  /** Calls `answer` when the screen asks for one. */
  onAsk(answer: () => void): void {
    this.#answer = answer;
  }
}
