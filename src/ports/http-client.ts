import type { CallScope } from '../core/context.js';

/** A request. */
export interface HttpRequest {
  /** An absolute `http` or `https` address without credentials. */
  readonly url: string;
  /** Headers for the origin of `url`. Another origin gets only headers without credentials, such as `user-agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The largest body, after decompression. Default `limits.web.maxBytes`. */
  readonly maxBytes?: number | undefined;
  /**
   * Whether redirects to other hosts are returned instead of followed. A returned redirect has its absolute address in
   * the header `location`. False, the default: every redirect is followed. True: only redirects to hosts that the
   * client allows by name are followed. A function: like true, but a redirect to an allowed host is also returned if
   * the function returns true for its address. In each case, a redirect to a blocked address fails with `url_blocked`.
   */
  readonly staysOnHost?: boolean | ((url: string) => boolean) | undefined;
}

/** A request with a body. */
export interface HttpPost extends HttpRequest {
  readonly body: string | Uint8Array;
}

/** A response with a status below 400. */
export interface HttpResponse {
  /** The final address after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The media type in lower case, without parameters; `application/octet-stream` if the header is missing. */
  readonly mediaType: string;
  /** The charset that the server names. */
  readonly charset?: string;
  /** The decompressed body. */
  readonly body: Uint8Array;
  /** Whether the connection or the compressed data ended early, so that `body` is incomplete. Default false. */
  readonly endsEarly?: boolean;
  /** The addresses before the redirects to `url`, in order. */
  readonly redirects: readonly string[];
}

/**
 * A client for HTTP. Rejects with a ToolError: `url_blocked`, `network_failed`, `timeout`, `file_too_large`,
 * `cancelled` and `interrupted` when the signal aborts, and `http_error` for a status from 400 up. An `http_error` has
 * `status`, `url`, `headers` and the beginning of the `body` in its metadata, and the pause that the server asks for.
 */
export interface HttpClient {
  get(request: HttpRequest, scope: CallScope): Promise<HttpResponse>;
  post(request: HttpPost, scope: CallScope): Promise<HttpResponse>;
}
