/** Error codes of the protocol. */
const numbers = { invalidRequest: -32_600, invalidParams: -32_602, notFound: -32_002 } as const;

/**
 * Makes an error of the protocol. The error class of the SDK is not used: it puts the code into the message, and the
 * client does so again.
 */
export function protocolError(kind: keyof typeof numbers, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code: numbers[kind], data });
}
