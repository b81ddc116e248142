import { isSpanContextValid, trace, TraceFlags } from '@opentelemetry/api';
import { pino } from 'pino';
import { redactCredentials, redactSecrets } from './redact.ts';

export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

/** Writes one line: fields first (an error as `err`), then a constant message. */
interface WriteLine {
  (fields: object, message?: string): void;
  (message: string): void;
}

export interface Log {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  readonly fatal: WriteLine;
  /** A log that adds these fields to every line. */
  child(fields: object): Log;
}

export interface LogOptions {
  /** The lowest level that is written. */
  readonly level?: Level | undefined;
  /** Default: standard output. */
  readonly destination?: { write(line: string): void } | undefined;
}

/** Synchronous: buffered lines would be lost, or out of order, when the process ends. */
let output: { write(line: string): void } | undefined;

/**
 * Writes one JSON object per line: `time`, `level`, `service`, `message`, the fields, and `trace_id` and `span_id` inside a span.
 * Secret fields (see `isSecretField`) and credentials in URLs are removed at any depth.
 */
export function logger(service: string, { level = 'info', destination }: LogOptions = {}): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redactSecrets },
    serializers: { err: unchanged, message: (message) => (typeof message === 'string' ? redactCredentials(message) : message) },
    mixin: spanIds,
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

/** `redactSecrets` has serialised errors already; pino's serialiser would show all their fields. */
const unchanged = (value: unknown) => value;

/** The trace that a line belongs to, if that is recorded. */
function spanIds(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) && context.traceFlags & TraceFlags.SAMPLED
    ? { trace_id: context.traceId, span_id: context.spanId }
    : {};
}
