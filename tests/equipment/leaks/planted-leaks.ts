import { trace } from '@opentelemetry/api';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { ObservedMessage, Tamper } from './wiretap.ts';

/** Adds fields to the data of every message of a type. */
export const tampering =
  (type: string, more: (data: Record<string, unknown>) => object): Tamper =>
  (message: ObservedMessage): ObservedMessage => {
    if (message.parcel.type !== type) return message;
    const said = JSON.parse(message.parcel.body.toString()) as { data: Record<string, unknown> };
    const body = Buffer.from(JSON.stringify({ ...said, data: { ...said.data, ...more(said.data) } }));
    return { ...message, parcel: { ...message.parcel, body } };
  };

/**
 * Adds to every question what was told to others before it.
 * @param what of the data of a message; undefined: nothing
 */
export function telling(what: (data: Record<string, unknown>) => unknown): Tamper {
  const told: unknown[] = [];
  const tell = tampering('seat.decide', ({ brief }) => ({ brief: `${String(brief)} It was told: ${JSON.stringify(told)}.` }));
  return (message) => {
    const { data } = JSON.parse(message.parcel.body.toString()) as { data: Record<string, unknown> };
    const said = what(data);
    if (said !== undefined && !told.includes(said)) told.push(said);
    return tell(message);
  };
}

/** Leaks to operators through logs, spans and metrics, planted with the product's own calls. */
export const PLANTED_LEAKS: { readonly [name: string]: (log: Log) => void } = {
  'a log line with a role': (log) => log.debug({ note: 'seat 1 is the seer' }, 'dealt'),
  'a span attribute with a card': () =>
    trace
      .getTracer('maw.gamemaster')
      .startSpan('deal', { attributes: { 'maw.card': 'werewolf' } })
      .end(),
  'a phase of the night, and in its trace a seat': () =>
    trace
      .getTracer('maw.gamemaster')
      .startSpan('ask', { root: true, attributes: { 'maw.phase': 'round-1/night', 'maw.seat': 1 } })
      .end(),
  'a metric label with the role of a seat': () => metrics.refusals.inc({ service: 'gamemaster', reason: 'seer at 1' }),
  'a span event with what was said': () => trace.getTracer('maw.player').startSpan('say').addEvent('said', { words: 'mk1x1q' }).end(),
  'a log line with a reason': (log) => log.info({ why: 'Because of 17 things' }, 'decided'),
};

/** Lets every doorbell carry its line, and every move of the table all lines so far, whoever may read them. */
export function withLines(): Tamper {
  const said = new Map<string, object>();
  const move = tampering('table.moved', () => ({ lines: [...said.values()] }));
  return (message) => {
    const { id, causeid, data } = JSON.parse(message.parcel.body.toString()) as { id: string; causeid?: string; data: object };
    if (message.parcel.type === 'room.said') said.set(id, data);
    return tampering('room.line', () => ({ said: said.get(causeid ?? '') }))(move(message));
  };
}
