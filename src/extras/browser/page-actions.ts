import type { BrowserScope, PageAction, PageCapture } from './browser.js';
import type { ChromiumSession } from './chromium-session.js';
import type { Page } from './playwright.js';

/** Limit of text read from a page; the tool shows less. */
const maxChars = 200_000;
/** The longest side of a screenshot that models accept. */
const maxPixels = 8_000;

/** The accessibility tree with references. */
export async function snapshotOf(page: Page, { signal }: BrowserScope) {
  const text = await page.ariaSnapshot({ mode: 'ai', timeout: 0, signal });
  return { text: cut(text.trim() === '' ? '[The page is empty]' : text) };
}

/** The value of an expression as JSON, cut inside the page. */
export async function evaluated(page: Page, expression: string) {
  const handle = await page.evaluateHandle(expression);
  const json = (value: unknown, most: number) => (JSON.stringify(value) ?? 'undefined').slice(0, most);
  const text = await handle.evaluate(json, maxChars + 1);
  await handle.dispose();
  return { text: cut(text) };
}

/** Performs an action on a page. */
export async function actOn(
  session: ChromiumSession,
  page: Page,
  action: PageAction,
  scope: BrowserScope,
): Promise<void> {
  const step = session.step(scope);
  switch (action.kind) {
    case 'click':
      await (await session.element(page, action.ref)).click(step);
      return await session.settle(page, scope);
    case 'type':
      return await (await session.element(page, action.ref)).fill(action.text, step);
    case 'press':
      if (action.ref === undefined) await page.keyboard.press(action.key);
      else await (await session.element(page, action.ref)).press(action.key, step);
      return await session.settle(page, scope);
    case 'select':
      await (await session.element(page, action.ref)).selectOption(action.value, step);
      return;
    case 'scroll':
      if ('ref' in action) return await (await session.element(page, action.ref)).scrollIntoViewIfNeeded(step);
      return await page.mouse.wheel(0, action.pixels);
    case 'wait':
      if ('text' in action) await page.getByText(action.text).first().waitFor({ timeout: 0, signal: scope.signal });
      else await page.waitForTimeout(action.ms);
  }
}

/** A screenshot of a page or an element, or a PDF of the page. */
export async function captureOf(
  session: ChromiumSession,
  page: Page,
  { form, ref, fullPage = false, maxBytes }: PageCapture,
  scope: BrowserScope,
): Promise<{ readonly mediaType: string; readonly bytes: Uint8Array }> {
  if (form === 'pdf') return { mediaType: 'application/pdf', bytes: await page.pdf() };
  const step = { ...session.step(scope), scale: 'css' as const };
  const part = fullPage ? { fullPage, clip: await wholePage(page) } : {};
  const target = ref === undefined ? undefined : await session.element(page, ref);
  const take = (kind: object): Promise<Uint8Array> =>
    target === undefined ? page.screenshot({ ...step, ...part, ...kind }) : target.screenshot({ ...step, ...kind });
  const exact = await take({ type: 'png' });
  if (exact.byteLength <= maxBytes) return { mediaType: 'image/png', bytes: exact };
  return { mediaType: 'image/jpeg', bytes: await take({ type: 'jpeg', quality: 60 }) };
}

/** The area of a whole page, at most `maxPixels` on each side. */
async function wholePage(page: Page) {
  const size = '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]';
  const [width = 1, height = 1] = (await page.evaluate(size)) as number[];
  const within = (pixels: number) => Math.max(1, Math.min(maxPixels, pixels));
  return { x: 0, y: 0, width: within(width), height: within(height) };
}

function cut(text: string): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n[The rest is left out]`;
}
