// Separate from `limits.ts`, which would make a bundled adapter half as large again.

/** Default of `limits.call.maxInputChars`: characters of the JSON text of one input. Adapters apply it too. */
export const maxInputChars = 16_000_000;
/** Default of `limits.bash.maxTimeoutMs`. Adapters reduce a longer time that a model suggests to it. */
export const maxTimeoutMs = 600_000;
