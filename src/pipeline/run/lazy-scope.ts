import type { Caller, CallScope } from '../../core/context.js';
import type { ToolError } from '../../core/error.js';

/**
 * A scope whose AbortController is made only when somebody asks for the signal, so work that never looks costs nothing.
 */
export class LazyScope implements CallScope {
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

  /** Whether anybody can hear the signal. */
  get isHeard(): boolean {
    return this.#controller !== undefined;
  }

  stop(reason: ToolError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
