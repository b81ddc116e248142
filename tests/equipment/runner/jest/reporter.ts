import { writeSync } from 'node:fs';
import type { SuiteEvent } from '../progress.ts';

/** What we use of Jest's own types, which it does not export. */
interface Suite {
  readonly path: string;
}
interface SuiteResult {
  readonly failureMessage?: string | null;
  readonly console?: readonly { readonly type: string; readonly message: string; readonly origin: string }[];
}

/** The file descriptor on which the runner reads events. */
const EVENTS_FD = 3;

/** A reporter of Jest: tells the runner when a suite starts and ends, one JSON line per event, and prints nothing itself. */
export default class RunnerReporter {
  onTestFileStart({ path }: Suite): void {
    send({ kind: 'started', path });
  }

  onTestFileResult({ path }: Suite, { failureMessage, console: logged }: SuiteResult): void {
    const output = (logged ?? []).map(({ type, message, origin }) => `console.${type}: ${message}\n${origin.trim()}`);
    send({ kind: 'ended', path, ...(failureMessage && { failure: [failureMessage.trimEnd(), ...output].join('\n') }) });
  }
}

/** The runner reads lines, and U+2028 and U+2029 end a line there too. */
function send(event: SuiteEvent): void {
  const line = JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  writeSync(EVENTS_FD, `${line}\n`);
}
