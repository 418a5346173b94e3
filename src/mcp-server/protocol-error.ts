/** What the protocol calls errors: by number. */
const numbers = { invalidRequest: -32_600, invalidParams: -32_602, notFound: -32_002 } as const;

/** The error of the SDK would put its number into the message, and that of the client once more. */
export function protocolError(kind: keyof typeof numbers, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code: numbers[kind], data });
}
