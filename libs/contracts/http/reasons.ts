import type { Reason } from '../refusal.ts';

/** Reasons that only the web service gives; the others come from the services behind it. */
type WebReason =
  | 'no-token'
  | 'bad-token'
  | 'unknown-route'
  | 'wrong-method'
  | 'too-large'
  | 'not-json'
  | 'unknown-token'
  | 'unavailable'
  | 'report-too-large';

/** Why a request of the HTTP API is refused, for programs. */
export type Code = Reason | WebReason;
