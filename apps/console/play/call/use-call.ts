import { useEffect, useRef } from 'react';
import { formatTime, timeLeft } from '../../scene/clock.ts';
import type { TableState } from '../../scene/session.ts';
import { useNow } from '../../table/phase-clock.tsx';
import { en, fill } from '../../text/en.ts';
import { type Call, callOf, outcryOf } from './call.ts';
import { callOut } from './settings.ts';

/** Calls the person at a seat: by the title and the icon of the page, and aloud by the ways that were chosen. */
export function useCall({ tape, asked, clock, link, isOver }: TableState, seat: number): void {
  const { open } = tape.moments.at(-1)!.after;
  const { phase } = tape.moments.at(-1)!;
  const answered = new Set(open.filter(({ answers }) => answers.some(({ by }) => by === seat)).map(({ id }) => id));
  const isCalled = !isOver && asked?.holder !== 'mind' && asked?.life !== 'Dead';
  const questions = isCalled ? (asked?.asked ?? []) : [];
  const call = callOf(questions, answered);
  const isRunning = call !== undefined && link === 'live' && clock?.pausedSince === undefined;
  const now = useNow(isRunning, 1_000);
  useTitle(call, call && timeLeft({ now, readAt: now, ...clock, until: call.until }, now)!.ms);
  const outcry = isCalled ? outcryOf(questions, answered, phase) : undefined;
  const called = useRef(outcry?.key); // who has just opened the page looks at it
  useEffect(() => {
    if (outcry && outcry.key !== called.current) callOut(outcry.text);
    called.current = outcry?.key;
  }, [outcry?.key]);
}

/** Shows a call and the time left, in milliseconds, in the title, and the minutes or seconds in the icon. */
function useTitle(call: Call | undefined, ms = 0): void {
  const text = call?.text;
  const time = formatTime(ms);
  useEffect(() => {
    document.title = text === undefined ? en.app.name : fill(en.call.left, { time, text, name: en.app.name });
  }, [text, time]);
  const sign = text === undefined ? undefined : ms > 60_000 ? `${Math.ceil(ms / 60_000)}′` : String(Math.ceil(ms / 5_000) * 5);
  useEffect(() => showSign(sign), [sign]);
  useEffect(() => () => (showSign(undefined), void (document.title = en.app.name)), []);
}

let usual: string | undefined;

/** Draws the icon of the page: a moon with a sign before it, or the usual one. */
function showSign(sign: string | undefined): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!icon) return;
  usual ??= icon.href;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#a32020"/><text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="700" text-anchor="middle" fill="#fff">${sign}</text></svg>`;
  icon.href = sign === undefined ? usual : `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}
