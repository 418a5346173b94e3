/** Why a pattern cannot be used, in words for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}
