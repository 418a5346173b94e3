import type { PlacedCanvas } from './session-canvases.js';

/** A page, and headers that restrict it. */
export interface ConfinedPage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: clamp(8px, 2vw, 24px); background: Canvas; color: CanvasText; }
#state { margin: 0; opacity: 0.7; }
section { margin: 0 0 20px; border: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); border-radius: 8px; overflow: hidden; }
h2 { margin: 0; padding: 6px 12px; font-size: 13px; font-weight: 600; opacity: 0.7; }
iframe { display: block; width: 100%; height: 120px; border: 0; border-top: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); background: white; }
`;

/** The script of a session's page. It creates a frame for each canvas, and sends the events of the frames. */
const pageScript = `
const place = document.querySelector('main');
const state = document.querySelector('#state');
const panels = new Map();
const heights = { least: 40, most: 6000 };
function frameOf(id) {
  const section = document.createElement('section');
  const title = document.createElement('h2');
  const frame = document.createElement('iframe');
  title.textContent = frame.title = id;
  frame.setAttribute('sandbox', 'allow-scripts');
  section.append(title, frame);
  place.append(section);
  const panel = { section, frame, version: 0 };
  panels.set(id, panel);
  return panel;
}
const source = new EventSource('events');
source.onopen = () => { state.textContent = 'Nothing is shown yet.'; };
source.onerror = () => { state.hidden = false; state.textContent = 'The connection is lost.'; };
source.onmessage = ({ data }) => {
  const { ids, changed } = JSON.parse(data);
  for (const [id, { section }] of panels) if (!ids.includes(id)) { section.remove(); panels.delete(id); }
  for (const { id, version, data } of changed) {
    const panel = panels.get(id) ?? frameOf(id);
    if (panel.version === version) panel.frame.contentWindow.postMessage({ type: 'data', data }, '*');
    else panel.frame.src = 'frame/' + id + '?' + (panel.version = version);
  }
  state.hidden = ids.length > 0;
};
addEventListener('message', ({ source, data }) => {
  const [id, panel] = [...panels].find(([, { frame }]) => frame.contentWindow === source) ?? [];
  if (panel === undefined || typeof data !== 'object' || data === null) return;
  if (data.type === 'size') panel.frame.style.height = Math.min(heights.most, Math.max(heights.least, Number(data.height) || 0)) + 'px';
  if (data.type !== 'event') return;
  const body = JSON.stringify({ id, event: data.event ?? null });
  fetch('event', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => {});
});
`;

/** The script that runs in each frame before the HTML of the agent. `DATA` is replaced by the data of the canvas. */
const frameScript = `
(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name];
  const listeners = [];
  const post = (message) => parent.postMessage(message, '*');
  let data = DATA;
  const send = (event) => post({ type: 'event', event });
  window.canvas = Object.freeze({
    get data() { return data; },
    onData(listener) { listeners.push(listener); if (data !== undefined) listener(data); },
    send,
  });
  addEventListener('message', (message) => {
    if (message.source !== parent || message.data?.type !== 'data') return;
    data = message.data.data;
    for (const listener of listeners) listener(data);
  });
  addEventListener('click', ({ target }) => {
    const element = target instanceof Element ? target.closest('[data-event]') : null;
    if (element === null) return;
    const form = element.closest('form');
    const fields = form === null ? {} : Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
    send({ name: element.dataset.event, ...(element.value ? { value: element.value } : {}), ...(form === null ? {} : { fields }) });
  });
  new ResizeObserver(() => post({ type: 'size', height: document.documentElement.offsetHeight })).observe(document.documentElement);
})();
`;

const common = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'cross-origin-resource-policy': 'same-origin',
};

/** The page of a session. Its frames may load only canvases of the session, at addresses below `frames`. */
export function sessionPage(frames: string, nonce: string): ConfinedPage {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    `frame-src ${frames}`,
    ...closed,
  ];
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Canvas</title><style nonce="${nonce}">${style}</style>
<main></main><p id="state">Connecting …</p><script nonce="${nonce}">${pageScript}</script></html>`;
  return page(body, policy);
}

/**
 * The page of a canvas, for a frame with an opaque origin. It may use inline scripts, styles and images, but no
 * network. The header `connection-allowlist` also blocks WebRTC and DNS prefetching, which the content security policy
 * does not.
 */
export function framePage({ html, data }: Pick<PlacedCanvas, 'html' | 'data'>, origin: string): ConfinedPage {
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ];
  const json = data === undefined ? 'undefined' : JSON.stringify(data).replaceAll('<', '\\u003c');
  const script = frameScript.replace('DATA', () => json);
  const { body, headers } = page(`<!doctype html><meta charset="utf-8"><script>${script}</script>${html}`, policy);
  return { body, headers: { ...headers, 'connection-allowlist': '()' } };
}

/** The list of sessions with canvases. */
export function listPage(
  sessions: readonly { readonly name: string; readonly url: string }[],
  nonce: string,
): ConfinedPage {
  const items = sessions.map(({ name, url }) => `<li><a href="${url}">${escaped(name)}</a></li>`);
  const content = items.length === 0 ? '<p id="state">Nothing is shown yet.</p>' : `<ul>${items.join('')}</ul>`;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><title>Canvas</title><style nonce="${nonce}">${style}</style>${content}</html>`;
  return page(body, ["default-src 'none'", `style-src 'nonce-${nonce}'`, ...closed]);
}

const closed = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

function page(body: string, policy: readonly string[]): ConfinedPage {
  return { body, headers: { ...common, 'content-security-policy': policy.join('; ') } };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
