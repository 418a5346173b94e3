import type { CallScope } from '../core/context.js';

/** What to fetch. */
export interface HttpRequest {
  /** Absolute, `http` or `https`, without a user and a password. */
  readonly url: string;
  /**
   * For the origin of `url`; a redirect to another one takes only those along that say what is wanted, no credentials.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The largest body, after decompression. Default `limits.web.maxBytes`. */
  readonly maxBytes?: number | undefined;
  /**
   * Answers a redirect to another host as it is, with its whole address in the header `location`, unless the client
   * was told to allow that host by name; a function that is asked with such an address may still say to stay. Default
   * false.
   */
  readonly staysOnHost?: boolean | ((url: string) => boolean) | undefined;
}

/** What to send. */
export interface HttpPost extends HttpRequest {
  readonly body: string | Uint8Array;
}

/** What came back, with a status below 400. */
export interface HttpResponse {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  /** Names in small letters; one that came several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** In small letters, without parameters; `application/octet-stream` where none was given. */
  readonly mediaType: string;
  /** The one that the server names. */
  readonly charset?: string;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** Whether the connection or the compressed data stopped before its end, so that `body` is only a part. Default false. */
  readonly endsEarly?: boolean;
  /** The addresses that led on to `url`, in order. */
  readonly redirects: readonly string[];
}

/**
 * Reaches the web. Rejects with a ToolError: `url_blocked`, `network_failed`, `timeout`, `file_too_large`, `cancelled`
 * and `interrupted` when the signal aborts, and `http_error` for a status from 400 up, with `status`, `url`, `headers`
 * and the beginning of the `body` in its metadata, and with the pause that the server asks for.
 */
export interface HttpClient {
  get(request: HttpRequest, scope: CallScope): Promise<HttpResponse>;
  post(request: HttpPost, scope: CallScope): Promise<HttpResponse>;
}
