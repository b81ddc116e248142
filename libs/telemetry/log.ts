import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { redactCredentials, redactSecrets } from './redact.ts';

export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

/** Writes one line: fields first (an error under `err`), then a sentence that holds no values. */
export interface Line {
  (fields: object, message?: string): void;
  (message: string): void;
}

export interface Log {
  readonly debug: Line;
  readonly info: Line;
  readonly warn: Line;
  readonly error: Line;
  readonly fatal: Line;
  /** The same log, with these fields in every line. */
  child(fields: object): Log;
}

export interface LogOptions {
  /** Lines below it are not written. */
  readonly level?: Level | undefined;
  /** Where the lines go; the process's output when not given. */
  readonly destination?: { write(line: string): void } | undefined;
}

/** Written at once: a line that waits in memory is lost, or comes out of order, when the process ends. */
let output: { write(line: string): void } | undefined;

/**
 * One JSON object a line: `time`, `level`, `service`, `message`, the fields, and `trace_id` and `span_id` inside a span.
 * Fields that must not be known (see `isHidden`) and credentials in addresses are left out, wherever they stand.
 */
export function logger(service: string, { level = 'info', destination }: LogOptions = {}): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redactSecrets },
    serializers: { err: asItStands, message: (message) => (typeof message === 'string' ? redactCredentials(message) : message) },
    mixin: idsOfSpan,
  };
  return logOf(pino(options, destination ?? (output ??= pino.destination({ fd: 1, sync: true }))));
}

const logOf = (lines: pino.Logger): Log => ({
  debug: lines.debug.bind(lines),
  info: lines.info.bind(lines),
  warn: lines.warn.bind(lines),
  error: lines.error.bind(lines),
  fatal: lines.fatal.bind(lines),
  child: (fields) => logOf(lines.child(redactSecrets(fields))),
});

/** Errors are made readable by `withoutSecrets`; pino's own reading of them would show every field they have. */
const asItStands = (value: unknown) => value;

function idsOfSpan(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
