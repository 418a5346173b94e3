import type { Caller, CallScope } from '../../core/context.js';
import type { ToolError } from '../../core/error.js';

/** The scope of supervised work, which knows whether the work asked for its signal and so can react to an abort. */
export class SupervisedScope implements CallScope {
  readonly caller: Caller;
  #controller: AbortController | undefined;
  #reason: ToolError | undefined;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Whether the work asked for its signal. */
  get isHeard(): boolean {
    return this.#controller !== undefined;
  }

  stop(reason: ToolError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
