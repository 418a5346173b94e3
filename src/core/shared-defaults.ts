// Separate from `limits.ts`, because importing that file would make a bundled adapter 50% larger.

/** Default of `limits.call.maxInputChars`: characters of the JSON text of one input. Adapters apply this limit too. */
export const maxInputChars = 16_000_000;
/** Default of `limits.bash.maxTimeoutMs`. Adapters reduce a longer timeout from a model to this value. */
export const maxTimeoutMs = 600_000;
