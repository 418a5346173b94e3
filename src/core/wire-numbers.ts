// In a file of its own: with `defaultLimits` an adapter would weigh half as much again.

/** JSON text of one input in characters: the default of `limits.call.maxInputChars`, which adapters keep to. */
export const maxInputChars = 16_000_000;
/** The default of `limits.bash.maxTimeoutMs`, to which adapters cut what a model only suggests. */
export const maxTimeoutMs = 600_000;
