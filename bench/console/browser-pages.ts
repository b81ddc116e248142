import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Browser, Page } from 'playwright-core';
import { type Frames, framesOf } from './frames.ts';

/** The longest that a page may take to show what it is to show. */
const PAGE_MS = 120_000;

/** Opens an address of the page in a context of its own, whose cache is empty, and gives it to `use`. */
export async function withPage<T>(browser: Browser, address: string, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS);
    await page.goto(address, { waitUntil: 'commit' });
    return await use(page);
  } finally {
    await context.close();
  }
}

/** When the first text or image was painted, in milliseconds after the navigation began. @throws TimeoutError */
export const firstContentfulPaint = (page: Page): Promise<number> =>
  withTimeout(
    PAGE_MS,
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) => {
            const [paint] = list.getEntriesByName('first-contentful-paint');
            if (paint) resolve(paint.startTime);
          });
          observer.observe({ type: 'paint', buffered: true });
        }),
    ),
    { what: 'the first paint of the page' },
  );

/** Notes from now on when each speech of the transcript comes into the page. */
export async function noteSpeeches(page: Page): Promise<void> {
  await page.getByRole('log').waitFor();
  await page.evaluate(() => {
    const times = new Map<string, number>();
    const note = (): void => {
      for (const { textContent } of document.querySelectorAll('[role=log] article p'))
        if (textContent && !times.has(textContent)) times.set(textContent, Date.now());
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { times });
  });
}

/** By text: when the page got the speech, in milliseconds of the system's clock. */
export const notedSpeeches = async (page: Page): Promise<ReadonlyMap<string, number>> =>
  new Map(await page.evaluate(() => [...(window as unknown as { readonly times: ReadonlyMap<string, number> }).times]));

/** Resolves once the slider reaches the given event, with the time since the navigation began, in milliseconds. @throws TimeoutError */
export const untilTapeIsRead = (page: Page, events: number): Promise<number> =>
  withTimeout(
    PAGE_MS,
    page.evaluate(
      (last) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            const slider = document.querySelector<HTMLInputElement>('input[type=range]');
            if (Number(slider?.max) >= last) resolve(performance.now());
            else requestAnimationFrame(look);
          };
          look();
        }),
      events,
    ),
    { what: `a page with all ${events} events` },
  );

/**
 * Drags the slider from the first event to the last and records the frames.
 * @throws Error when the slider did not follow the mouse
 */
export async function dragThrough(page: Page, ms: number): Promise<Frames> {
  const slider = page.getByRole('slider').first();
  const { x, y, width, height } = (await slider.boundingBox())!;
  const middle = y + height / 2;
  await page.mouse.move(x + width - 2, middle);
  await page.mouse.down();
  await page.mouse.move(x + 1, middle);
  const frames = recordFrames(page, ms);
  const began = performance.now();
  for (let share = 0; share < 1; await delay(8)) {
    share = Math.min(1, (performance.now() - began) / ms);
    await page.mouse.move(x + 1 + share * (width - 2), middle);
  }
  await page.mouse.up();
  const [value, last] = await slider.evaluate((input: HTMLInputElement) => [Number(input.value), Number(input.max)]);
  if (value! < last! * 0.98) throw new Error(`the slider was dragged to the end, and shows event ${value} of ${last}`);
  return framesOf(await frames);
}

/** When each frame of the next `ms` milliseconds begins. */
const recordFrames = (page: Page, ms: number): Promise<readonly number[]> =>
  page.evaluate(
    (length) =>
      new Promise<readonly number[]>((resolve) => {
        const times: number[] = [];
        const note = (now: number): void => {
          times.push(now);
          if (now - times[0]! < length) requestAnimationFrame(note);
          else resolve(times);
        };
        requestAnimationFrame(note);
      }),
    ms,
  );
