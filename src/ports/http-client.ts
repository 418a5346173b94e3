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
   * Whether a redirect to another host is returned, with its absolute address in the header `location`, and not
   * followed. False, the default: every redirect is followed. True: redirects to hosts that the client allows by name
   * are followed, all others are returned. A function: as for true, but a redirect to an allowed host is returned too
   * if the function returns true for its address. A redirect to a refused address is refused in each case.
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
